// Which key presses are shortcuts: none that types, composes with an input method, carries a modifier or repeats.
const TYPES_NOTHING = new Set(["radio", "checkbox", "button", "submit", "reset", "file", "range", "color"]);

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
  return !isTextField(event.target) && !document.querySelector("dialog[open]");
}
