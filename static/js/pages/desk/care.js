// A heavy item is announced before its text shows: Enter shows it, the key for skipping skips it without a reason, and no
// other key of the desk does anything until then.
import { actionFor, isShortcut } from "../../parts/keys.js";

const PASS = new Set(["guideline", "help", "undo"]);

const veil = () => document.querySelector("#veil:not([open])");

// To be called before the desk listens to keys itself.
export function announceHeavyItems() {
  addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("desk:shown", () => veil()?.querySelector("summary").focus({ preventScroll: true }));
  document.addEventListener("click", (event) => {
    if (!veil() || !event.target.closest?.("[data-skips]")) return;
    event.preventDefault();
    skip();
  });
  const onToggle = (event) => {
    if (event.target.id === "veil" && event.target.open) rateIt();
  };
  document.addEventListener("toggle", onToggle, { capture: true }); // it does not bubble
}

function onKey(event) {
  if (!veil() || !isShortcut(event)) return;
  const action = actionFor(event);
  if (event.key === "Enter") {
    if (event.target.closest("a, button, summary")) return;
    veil().open = true;
  } else if (action === "skip") {
    skip();
  } else if (event.key.length !== 1 || event.key === " " || PASS.has(action)) {
    return;
  }
  event.preventDefault();
}

function skip() {
  document.getElementById("skip-form").requestSubmit();
}

// The scales are in reach now; the first one is in hand, as with any other item.
function rateIt() {
  const radios = document.querySelectorAll("#rating [data-scale] input");
  radios[0]?.focus({ preventScroll: true });
}
