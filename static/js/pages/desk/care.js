// A heavy item is announced before its text shows: Enter shows it, the key for skipping skips it without a reason, and no
// other key of the desk does anything until then.
import { actionFor, isShortcut } from "../../parts/keys.js";

const PASS = new Set(["guideline", "help", "undo"]);

const veil = () => document.querySelector("#veil:not([open])");

export function isVeiled() {
  return veil() !== null;
}

// Where the focus belongs while the text is folded.
export function focusVeil() {
  veil()?.querySelector("summary").focus({ preventScroll: true });
}

// `onShown` is called when the text of the item in hand was asked for.
export function watchVeil({ onShown }) {
  addEventListener("keydown", onKey, { capture: true }); // before the desk's own keys
  document.addEventListener("click", (event) => {
    if (!isVeiled() || !event.target.closest?.("[data-skips]")) return;
    event.preventDefault();
    skip();
  });
  // A toggle does not bubble.
  const onToggle = (event) => event.target.id === "veil" && event.target.open && onShown();
  document.addEventListener("toggle", onToggle, { capture: true });
}

function onKey(event) {
  if (!isVeiled() || !isShortcut(event)) return;
  const action = actionFor(event);
  if (event.key === "Enter") {
    if (event.target.closest("a, button, summary")) return;
    veil().open = true;
  } else if (action === "skip") {
    skip();
  } else if (event.key.length !== 1 || PASS.has(action) || event.key === " ") {
    return;
  }
  event.preventDefault();
}

function skip() {
  document.getElementById("skip-form").requestSubmit();
}
