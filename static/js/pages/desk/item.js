// One item on the desk, from its first look to the answer of the server.
import { clock } from "../../parts/activity.js";
import { dropDraft, keepDraft, readDraft } from "../../parts/drafts.js";
import { isTextField } from "../../parts/keys.js";
import { marksOf } from "../../parts/marks.js";
import { scalesOf } from "../../parts/scales.js";
import { send } from "../../parts/sending.js";
import { word } from "../../parts/words.js";
import { keepLease } from "./lease.js";
import { clearTrouble, showOutcome, showState, showTrouble } from "./state.js";

export function openDesk({ onParts }) {
  const form = document.getElementById("rating");
  const { draft: name } = document.getElementById("main").dataset;
  const field = form.elements;
  const scales = scalesOf(form);
  const marks = marksOf({ field: field.namedItem("marks"), onChange: changed });
  const lease = keepLease(form.dataset.renew);
  let seconds = Number(field.namedItem("seconds").value);
  let touched = false;
  let sending = false;

  restore();
  tellMissing();
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.querySelector('[data-for="retry"]').addEventListener("click", submit);
  const skipForm = document.getElementById("skip-form");
  skipForm?.addEventListener("submit", (event) => {
    event.preventDefault();
    sendSkip();
  });

  function restore() {
    const kept = readDraft(name);
    marks.set(kept?.marks ?? JSON.parse(field.namedItem("marks").value), { silently: true });
    if (!kept) return;
    if (kept.action === form.action) field.namedItem("client_id").value = kept.client_id;
    scales.restore(kept.scores);
    field.namedItem("rationale").value = kept.rationale;
    field.namedItem("needs_expert").checked = kept.needs_expert;
    seconds = Math.max(seconds, kept.seconds);
    touched = true;
    showState("kept");
  }

  function changed() {
    touched = true;
    keep();
    tellMissing();
  }

  function keep() {
    const kept = keepDraft(name, {
      action: form.action,
      client_id: field.namedItem("client_id").value,
      scores: scales.values(),
      marks: marks.all(),
      rationale: field.namedItem("rationale").value,
      needs_expert: field.namedItem("needs_expert").checked,
      seconds,
    });
    if (kept) showState("kept");
  }

  function tellMissing() {
    const names = scales.missing().map(scales.nameOf).join(word("comma"));
    document.getElementById("missing").textContent = names ? word("missing", { names }) : word("complete");
  }

  async function submit() {
    const missing = scales.missing();
    if (missing.length) {
      for (const scale of missing) scale.classList.add("missing");
      scales.focus(missing[0]);
      document.getElementById("said").textContent = document.getElementById("missing").textContent;
      return;
    }
    field.namedItem("seconds").value = Math.round(seconds);
    if (touched) keep();
    await deliver(form.action, form);
  }

  async function sendSkip() {
    const dialog = document.getElementById("skipping");
    if (!skipForm.querySelector("[name=reason]:checked")) {
      document.getElementById("skip-error").textContent = word("noReason");
      skipForm.querySelector("[name=reason]").focus();
      return;
    }
    dialog.close();
    await deliver(skipForm.action, skipForm);
  }

  // The same client_id goes out each time until the server has answered: twice sent is once saved.
  async function deliver(address, sent) {
    if (sending) return;
    sending = true;
    showState("sending");
    const { status, data } = await send(address, sent);
    sending = false;
    if (status === 200 && data) {
      dropDraft(name);
      clearTrouble();
      const toSay = showOutcome(data);
      if (data.location) location.assign(data.location);
      else onParts(data.parts, toSay);
      return;
    }
    showState("unsent");
    const faults = Object.entries(data?.fields ?? {}).flatMap(([, found]) => found);
    if (Object.keys(data?.fields ?? {}).some((fault) => !fault.startsWith("scores."))) openMore();
    showTrouble(status, [data?.detail, ...faults].filter(Boolean).join(" "));
  }

  function openMore() {
    document.getElementById("more").open = true;
  }

  return {
    submit,
    answer: (level) => sending || scales.answer(level), // what is on its way is not changed
    mark: () => marks.open(),
    offerSelection: () => marks.offerSelection(),
    skip: () => document.getElementById("skipping")?.showModal(),
    focusFirst: () => scales.focus(scales.missing()[0] ?? scales.scales[0], { preventScroll: true }),
    writeRationale() {
      openMore();
      field.namedItem("rationale").focus();
    },
    // Escape in a text field of the form goes back to the scales.
    leaveField(event) {
      if (!form.contains(event.target) || !isTextField(event.target)) return false;
      scales.focus(scales.missing()[0] ?? scales.scales.at(-1));
      return true;
    },
    worked(more) {
      seconds += more;
      document.getElementById("clock").textContent = clock(seconds);
      if (touched && Math.round(seconds) % 10 === 0) keep();
      lease.renewIfDue();
    },
  };
}
