// A training item: the desk's scales, marks and keys around a plain form; after it, Enter goes on.
import { countActivity } from "../parts/activity.js";
import { dropDraft, dropOldDrafts, keepDraft, readDraft } from "../parts/drafts.js";
import { actionFor, isComposing, isShortcut, isTextField, keyOf } from "../parts/keys.js";
import { marksOf } from "../parts/marks.js";
import { scalesOf } from "../parts/scales.js";
import { word } from "../parts/words.js";

const form = document.getElementById("rating");
const goOn = document.getElementById("go-on");

function openForm() {
  const name = document.getElementById("main").dataset.draft;
  const field = form.elements;
  const scales = scalesOf(form);
  const marks = marksOf({ field: field.namedItem("marks"), onChange: changed });
  const rationale = field.namedItem("rationale");
  const kept = readDraft(name);
  let seconds = Math.max(Number(field.namedItem("seconds").value), kept?.seconds ?? 0);

  marks.set(kept?.marks ?? JSON.parse(field.namedItem("marks").value), { silently: true });
  if (kept) {
    field.namedItem("client_id").value = kept.client_id; // sent before the draft was kept: the same answer
    scales.restore(kept.scores);
    rationale.value = kept.rationale;
  }
  tellMissing();
  scales.focus(scales.missing()[0] ?? scales.scales[0], { preventScroll: true });

  function changed() {
    const client_id = field.namedItem("client_id").value;
    keepDraft(name, { client_id, scores: scales.values(), marks: marks.all(), rationale: rationale.value, seconds });
    tellMissing();
  }

  function tellMissing() {
    const names = scales.missing().map(scales.nameOf).join(word("comma"));
    document.getElementById("missing").textContent = names ? word("missing", { names }) : word("complete");
  }

  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    const missing = scales.missing();
    field.namedItem("seconds").value = Math.round(seconds);
    if (!missing.length) return;
    event.preventDefault();
    for (const scale of missing) scale.classList.add("missing");
    scales.focus(missing[0]);
    document.getElementById("said").textContent = document.getElementById("missing").textContent;
  });
  document.addEventListener("selectionchange", () => marks.offerSelection());
  countActivity((more) => (seconds += more));

  return {
    answer: (level) => scales.answer(level),
    mark: () => marks.open(),
    submit: () => form.requestSubmit(),
    rationale() {
      document.getElementById("more").open = true;
      rationale.focus();
    },
    guideline: () => document.getElementById("guideline").showModal(),
    leaveField(event) {
      if (!form.contains(event.target) || !isTextField(event.target)) return false;
      scales.focus(scales.missing()[0] ?? scales.scales.at(-1));
      return true;
    },
  };
}

if (goOn) {
  dropDraft(document.getElementById("main").dataset.draft);
  goOn.focus({ preventScroll: true }); // the comparison is read first
}
dropOldDrafts();
const open = form ? openForm() : null;

addEventListener("keydown", (event) => {
  if (isComposing(event)) return;
  if (event.key === "Escape" && open?.leaveField(event)) return;
  if (event.key === "Enter" && event.repeat && event.target.matches("input")) event.preventDefault();
  if (!isShortcut(event)) return;
  const act = actOf(event);
  if (!act) return;
  event.preventDefault();
  act();
});

function actOf(event) {
  const [key, action] = [keyOf(event), actionFor(event)];
  if (key === "Enter" && event.target.closest("a, button, summary, dialog")) return null;
  if (!open) return key === "Enter" && goOn ? () => goOn.click() : null;
  if (key === "Enter") return open.submit;
  if (/^[1-9]$/.test(key)) return () => open.answer(key);
  return { mark: open.mark, rationale: open.rationale, guideline: open.guideline }[action] ?? null;
}
