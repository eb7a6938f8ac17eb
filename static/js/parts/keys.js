// Which key presses are shortcuts: none that types, composes with an input method, carries a modifier or repeats; and
// what the person chose that they do (annotation/shortcuts.py).
const TYPES_NOTHING = new Set(["radio", "checkbox", "button", "submit", "reset", "file", "range", "color"]);
const { on, of } = JSON.parse(document.getElementById("words").dataset.keys);
const ACTIONS = new Map(Object.entries(of).map(([action, key]) => [key, action]));

export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

export function isTextField(target) {
  if (!(target instanceof Element)) return false;
  if (target.closest("textarea, select, [contenteditable]")) return true;
  return target instanceof HTMLInputElement && !TYPES_NOTHING.has(target.type);
}

export function isShortcut(event) {
  if (isComposing(event) || event.repeat || event.defaultPrevented) return false;
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  if (event.key.length === 1 && !on) return false; // single keys are switched off, digits too
  return !isTextField(event.target) && !document.querySelector("dialog[open]");
}

// A key in the width and case that keys are kept in: ？ is ?.
export function keyOf(event) {
  return event.key.length === 1 ? event.key.normalize("NFKC").toLowerCase() : event.key;
}

// What the person's key does ("mark", "skip", ...); null where it is none of theirs. Ask `isShortcut` first.
export function actionFor(event) {
  return on ? (ACTIONS.get(keyOf(event)) ?? null) : null;
}
