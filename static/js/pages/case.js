// The expert's bench: keys, what is still missing, the lease, and what was typed, kept in this browser until it is sent.
import { actionFor, isShortcut, keyOf } from "../parts/keys.js";
import { keepCaseDraft } from "./case/draft.js";
import { renewWhileActive } from "./case/lease.js";

const form = document.getElementById("decision");

const fields = () => [...form.querySelectorAll("[data-scale], [data-ruling]")];
const chosen = (field) => field.querySelector("input:checked")?.value ?? "";
const option = (field, value) => field.querySelector(`input[value="${value}"]`);
const sentence = (name, values) => form.dataset[name].replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

// Why the decision needs words, as the server will ask (reviews/verdict.py); empty where it needs none.
function whyAReason() {
  if ("revises" in form.dataset) return form.dataset.whyRevise;
  for (const scale of form.querySelectorAll("[data-scale]")) {
    const { low, high, name } = scale.dataset;
    const value = Number(chosen(scale)); // NaN where it is not decidable, 0 where nothing is chosen
    if (low !== "" && value && (value < Number(low) || value > Number(high))) return sentence("whyRange", { name });
  }
  const confirmed = form.querySelector("[data-ruling] input[value=true]:checked");
  const set = form.querySelector("input[name=set]:checked");
  const name = confirmed ? confirmed.closest("[data-ruling]").dataset.name : set?.dataset.name;
  return name ? sentence("whyViolation", { name }) : "";
}

function missing() {
  const open = fields().filter((field) => "required" in field.dataset && !chosen(field));
  const found = open.map((field) => ({ name: field.dataset.name, field, focus: field.querySelector("input") }));
  if (whyAReason() && !form.elements.rationale.value.trim()) {
    found.push({ name: form.dataset.reason, field: null, focus: form.elements.rationale });
  }
  return found;
}

function showState() {
  const found = missing();
  const names = found.map(({ name }) => name).join(", ");
  const said = names ? sentence("missing", { names }) : form.dataset.complete;
  const place = document.getElementById("missing");
  if (place.textContent !== said) place.textContent = said;
  document.getElementById("rationale-label").textContent = whyAReason() || form.dataset.whyFree;
  for (const field of fields()) if (chosen(field)) field.classList.remove("missing");
}

// On to what is still missing, after `field` first; to the button where nothing is.
function moveOn(field) {
  const all = fields();
  const place = (entry) => (entry.field ? all.indexOf(entry.field) : all.length);
  const found = missing();
  const next = found.find((entry) => place(entry) > all.indexOf(field)) ?? found[0];
  next?.field?.scrollIntoView({ block: "nearest" });
  (next?.focus ?? form.querySelector(".button.main")).focus();
}

function choose(field, value) {
  const radio = field && option(field, value);
  if (!radio) return false;
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  moveOn(field);
  return true;
}

// The field in hand; else the first that is missing, else the first.
function inHand(target, kind) {
  const all = [...form.querySelectorAll(`[data-${kind}]`)];
  const current = target.closest?.(`[data-${kind}]`);
  return current ?? all.find((field) => "required" in field.dataset && !chosen(field)) ?? all[0];
}

function press(id) {
  const control = document.getElementById(id);
  control?.click();
  return control !== null;
}

function openToEscalate() {
  const fold = document.getElementById("escalate");
  if (!fold) return false;
  fold.open = true;
  fold.querySelector("button").focus();
  return true;
}

// "Not decidable" leaves open what has no level yet; a violation that only some marked still wants its ruling.
function leaveOpen() {
  for (const scale of form.querySelectorAll("[data-scale][data-required]")) {
    if (!chosen(scale)) option(scale, "ambiguous").checked = true;
  }
  showState();
}

function act(event) {
  const { target } = event;
  const [key, action] = [keyOf(event), actionFor(event)];
  if (/^[1-9]$/.test(key)) return choose(inHand(target, "scale"), key);
  if (key === "0") return choose(inHand(target, "scale"), "ambiguous");
  if (action === "undecidable") return press("undecidable");
  if (action === "escalate") return openToEscalate();
  if (action === "undo") return press("before");
  if (action === "confirm") return choose(inHand(target, "ruling"), "true");
  if (action === "strike") return choose(inHand(target, "ruling"), "false");
  if (action === "rationale") form.elements.rationale.focus();
  else if (action === "help") document.getElementById("help").showModal();
  else if (key === "Enter" && !target.closest("a, button, summary")) form.requestSubmit(form.querySelector(".button.main"));
  else return false;
  return true;
}

function onKey(event) {
  if (isShortcut(event) && act(event)) event.preventDefault();
}

function refuseWhereIncomplete(event) {
  if (event.submitter?.value === "undecidable") leaveOpen();
  const found = missing();
  if (!found.length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  for (const { field } of found) field?.classList.add("missing");
  const fold = found[0].focus.closest("details");
  if (fold) fold.open = true;
  found[0].focus.focus();
}

// The passages of the rater whose words the pointer is on.
function pointAt(event) {
  const rater = event.target.closest?.("[data-rater]")?.dataset.rater;
  for (const part of document.querySelectorAll("[data-raters], .voice")) {
    const raters = (part.dataset.raters ?? part.dataset.rater).split(" ");
    part.classList.toggle("in-hand", rater !== undefined && raters.includes(rater));
  }
}

document.addEventListener("pointerover", pointAt);
if (form) {
  form.noValidate = true;
  form.addEventListener("submit", refuseWhereIncomplete);
  keepCaseDraft(form);
  form.addEventListener("input", showState);
  form.addEventListener("change", showState);
  document.addEventListener("keydown", onKey);
  if (form.dataset.renew) renewWhileActive(form.dataset.renew);
  showState();
}
