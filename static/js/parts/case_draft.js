// What an expert has entered on a case, kept in this browser: it outlives a lost connection, an ended session, a closed tab.
import { notify } from "./notices.js";

const PREFIX = "concord.case.";
const DAYS_KEPT = 7;
const OWN = ["csrfmiddlewaretoken", "client_id", "supersedes", "then"]; // of this page, not of what was typed

function entered(form) {
  return [...new FormData(form)].filter(([name, value]) => !OWN.includes(name) && value !== "");
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, draft) {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // private windows and full disks keep nothing; the page works as before
  }
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

// Old ones, and those that were sent from another page than this: had they failed, this page would say so.
function clearOut(own) {
  const failed = document.querySelector("[role=alert]") !== null;
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX) && name !== own)) {
    const draft = read(key);
    const old = !draft || Date.now() - draft.at > DAYS_KEPT * 86_400_000;
    if (old || (draft.sent && !failed)) localStorage.removeItem(key);
  }
}

export function keepDraft(form) {
  const key = PREFIX + form.dataset.draft;
  const before = JSON.stringify(entered(form));
  try {
    clearOut(key);
  } catch {
    return; // no storage here
  }
  const draft = read(key);
  if (draft && "fresh" in form.dataset && JSON.stringify(draft.entries) !== before) {
    putBack(form, draft.entries);
    notify(form.dataset.restored, "heed");
  }
  const keep = (sent) => write(key, { at: Date.now(), entries: entered(form), sent });
  form.addEventListener("input", () => keep(false));
  form.addEventListener("change", () => keep(false));
  form.addEventListener("submit", () => keep(true));
}
