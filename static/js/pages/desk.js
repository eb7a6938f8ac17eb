// The annotator's desk: keys, drafts, sending, and the next item put in the place of the last.
import { countActivity } from "../parts/activity.js";
import { dropOldDrafts } from "../parts/drafts.js";
import { actionFor, isComposing, isShortcut, keyOf } from "../parts/keys.js";
import { showLocalTimes } from "../parts/times.js";
import { word } from "../parts/words.js";
import { openDesk } from "./desk/item.js";

let desk = null; // the item in hand; null where there is none

function begin({ announce = "" } = {}) {
  desk = document.getElementById("rating") ? openDesk({ onParts: swap }) : null;
  if (desk) desk.focusFirst();
  else document.getElementById("main").focus({ preventScroll: true });
  if (announce) say(announce);
}

function say(text) {
  document.getElementById("said").textContent = text;
}

// Each part takes the place of the element with its id.
function swap(parts, said) {
  const arrived = new DOMParser().parseFromString(parts, "text/html");
  for (const plain of arrived.querySelectorAll("noscript")) plain.remove(); // a parser without scripts opens them
  showLocalTimes(arrived);
  for (const part of [...arrived.body.children]) document.getElementById(part.id)?.replaceWith(part);
  scrollTo({ top: 0, behavior: "instant" });
  begin({ announce: document.getElementById("rating") ? `${said} ${word("nextItem")}`.trim() : said });
}

const ACTS = {
  mark: () => desk.mark(),
  rationale: () => desk.writeRationale(),
  skip: () => desk.skip(),
};
const DIALOGS = { help: "keys", guideline: "guideline" };

addEventListener("keydown", (event) => {
  if (isComposing(event)) return;
  if (event.key === "Escape" && desk?.leaveField(event)) return;
  if (event.key === "Enter" && event.repeat && event.target.matches("input")) event.preventDefault();
  if (!isShortcut(event)) return;
  const act = actionOf(event);
  if (!act) return;
  event.preventDefault();
  act();
});

function actionOf(event) {
  const [key, action] = [keyOf(event), actionFor(event)];
  const dialog = document.getElementById(DIALOGS[action]);
  if (dialog) return () => dialog.showModal();
  if (!desk) return null;
  if (/^[1-9]$/.test(key)) return () => desk.answer(key);
  if (key === "Enter") return event.target.closest("a, button, summary, dialog") ? null : () => desk.submit();
  return ACTS[action] ?? null;
}

document.addEventListener("selectionchange", () => desk?.offerSelection());
countActivity((seconds) => desk?.worked(seconds));
dropOldDrafts();
begin();
