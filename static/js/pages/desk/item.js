// One item on the desk, from its first look until it is submitted, skipped or laid aside.
import { clock } from "../../parts/activity.js";
import { isTextField } from "../../parts/keys.js";
import { marksOf } from "../../parts/marks.js";
import { scalesOf } from "../../parts/scales.js";
import { fieldsOf } from "../../parts/sending.js";
import { word } from "../../parts/words.js";
import { draftOf } from "./draft.js";
import { keepLease } from "./lease.js";
import { clearTrouble, showState, showTrouble } from "./state.js";

const TWICE = 500; // ms: a second Enter so soon after the first was not meant for the next item

// `item` is {assignment, expires_at}; `fresh` where it has just taken the place of another. onSubmit(entry) gets what the
// outbox is to keep; onLost() that the lease is over; onSignedOut(data) that the session is.
export function openDesk({ item, person, fresh, onSubmit, onLost, onSignedOut }) {
  const main = document.getElementById("main");
  const form = document.getElementById("rating");
  const field = form.elements;
  const { draft: name, stored, draftAt } = main.dataset;
  const edit = Boolean(field.namedItem("supersedes").value);
  const shownAt = fresh ? performance.now() : -TWICE;
  const scales = scalesOf(form);
  const marks = marksOf({ field: field.namedItem("marks"), onChange: changed });
  const skipForm = document.getElementById("skip-form");
  let seconds = Number(field.namedItem("seconds").value);
  let amends = false;
  let touched = false; // since it was shown
  let held = false; // submitted, and nothing to take its place yet

  marks.set(JSON.parse(field.namedItem("marks").value), { silently: true });
  const draft = draftOf({
    name,
    address: edit ? "" : draftAt,
    stored: stored ? JSON.parse(stored) : null,
    read: contentOf,
    write: fill,
    about: () => ({ action: form.action, client_id: field.namedItem("client_id").value, amends, seconds }),
    onRestored: (kept, longest) => {
      if (kept?.action === form.action) {
        field.namedItem("client_id").value = kept.client_id;
        amends = kept.amends ?? false;
      }
      seconds = Math.max(seconds, longest); // the larger, never the sum
      showState("kept");
    },
    onKept: () => held || showState("kept"),
    onSignedOut,
  });
  const lease = keepLease({ address: form.dataset.renew, person, expires: item.expires_at, onLost, onSignedOut });

  showClock();
  tellMissing();
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  skipForm?.addEventListener("submit", (event) => {
    event.preventDefault();
    skip();
  });

  function contentOf() {
    return {
      scores: scales.values(),
      marks: marks.all(),
      rationale: field.namedItem("rationale").value,
      needs_expert: field.namedItem("needs_expert").checked,
    };
  }

  function fill(content) {
    scales.restore(content.scores);
    marks.set(content.marks, { silently: true });
    field.namedItem("rationale").value = content.rationale;
    field.namedItem("needs_expert").checked = content.needs_expert;
    tellMissing();
  }

  function changed() {
    touched = true;
    draft.typed();
    tellMissing();
  }

  function tellMissing() {
    const names = scales.missing().map(scales.nameOf).join(word("comma"));
    document.getElementById("missing").textContent = names ? word("missing", { names }) : word("complete");
  }

  function showClock() {
    document.getElementById("clock").textContent = clock(seconds);
  }

  function submit() {
    if (held || (!touched && performance.now() - shownAt < TWICE)) return;
    const missing = scales.missing();
    if (missing.length) {
      for (const scale of missing) scale.classList.add("missing");
      scales.focus(missing[0]);
      document.getElementById("said").textContent = document.getElementById("missing").textContent;
      return;
    }
    field.namedItem("seconds").value = Math.round(seconds);
    draft.keep({ typing: true });
    give({ id: field.namedItem("client_id").value, kind: "rating", address: form.action, amends, edit }, form);
  }

  function skip() {
    if (held) return;
    if (!("reasonFree" in skipForm.dataset) && !skipForm.querySelector("[name=reason]:checked")) {
      document.getElementById("skip-error").textContent = word("noReason");
      skipForm.querySelector("[name=reason]").focus();
      return;
    }
    document.getElementById("skipping").close();
    if (draft.touched) draft.keep({ typing: true });
    give({ id: `skip:${item.assignment}`, kind: "skip", address: skipForm.action }, skipForm);
  }

  function give(entry, sent) {
    clearTrouble();
    const label = document.querySelector("#main .chip").textContent;
    onSubmit({ ...entry, assignment: item.assignment, body: fieldsOf(sent).toString(), draft: name, label });
  }

  function setHeld(to) {
    held = to;
    for (const part of form.children) if (part.id !== "trouble") part.inert = to;
  }

  return {
    edit,
    submit,
    hold: () => setHeld(true),
    // The server said no while the item lay here: it goes on from what was typed.
    release({ status, data }) {
      setHeld(false);
      showState("unsent");
      if (Object.keys(data?.fields ?? {}).some((fault) => !fault.startsWith("scores."))) openMore();
      showTrouble(status, data);
    },
    get isHeld() {
      return held;
    },
    close: (how) => draft.close(how),
    signedIn: () => draft.sync(),
    answer: (level) => held || scales.answer(level), // what is on its way is not changed
    mark: () => held || marks.open(),
    offerSelection: () => marks.offerSelection(),
    skip: () => held || document.getElementById("skipping")?.showModal(),
    focusFirst: () => scales.focus(scales.missing()[0] ?? scales.scales[0], { preventScroll: true }),
    writeRationale() {
      if (held) return;
      openMore();
      field.namedItem("rationale").focus();
    },
    // Escape in a text field of the form goes back to the scales.
    leaveField(event) {
      if (!form.contains(event.target) || !isTextField(event.target)) return false;
      scales.focus(scales.missing()[0] ?? scales.scales.at(-1));
      return true;
    },
    renewIfDue: lease.renewIfDue,
    worked(more) {
      if (held) return;
      seconds += more;
      showClock();
      if (draft.touched && Math.round(seconds) % 10 === 0) draft.keep();
      lease.renewIfDue();
    },
  };
}

function openMore() {
  document.getElementById("more").open = true;
}
