// What an expert has entered on a case, kept in this browser: it outlives a lost connection, an ended session, a closed tab.
import { dropDraft, dropOldDrafts, keepDraft, readDraft } from "../../parts/drafts.js";
import { notify } from "../../parts/notices.js";

const SENT = "concord:sent-case";
const OWN = ["csrfmiddlewaretoken", "client_id", "supersedes", "then"]; // of this page, not of what was typed

function entered(form) {
  return [...new FormData(form)].filter(([name, value]) => !OWN.includes(name) && value !== "");
}

function putBack(form, entries) {
  for (const [name, value] of entries) {
    const field = form.elements.namedItem(name);
    const controls = field instanceof RadioNodeList ? [...field] : field ? [field] : [];
    for (const control of controls) {
      if (!["radio", "checkbox"].includes(control.type)) control.value = value;
      else if (control.value === value) control.checked = true;
    }
  }
}

// What was sent from the page before this one arrived, unless this page is about the same case or says that it failed.
function dropWhatArrived(name) {
  try {
    const sent = sessionStorage.getItem(SENT);
    const failed = document.querySelector("[role=alert]") !== null;
    if (sent && sent !== name && !failed) dropDraft(sent);
    sessionStorage.removeItem(SENT);
  } catch {
    // storage switched off: nothing was kept
  }
}

function rememberSending(name) {
  try {
    sessionStorage.setItem(SENT, name);
  } catch {
    // storage switched off: nothing was kept
  }
}

export function keepCaseDraft(form) {
  const name = `case:${form.dataset.draft}`;
  const before = JSON.stringify(entered(form));
  dropOldDrafts();
  dropWhatArrived(name);
  const draft = readDraft(name);
  if (draft && "fresh" in form.dataset && JSON.stringify(draft.entries) !== before) {
    putBack(form, draft.entries);
    notify(form.dataset.restored, "heed");
  }
  const keep = () => keepDraft(name, { entries: entered(form) });
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  form.addEventListener("submit", () => rememberSending(name));
}
