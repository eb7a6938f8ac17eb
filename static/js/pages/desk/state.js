import { wordsOf } from "../../parts/delivery.js";
import { forget, notify } from "../../parts/notices.js";
import { word } from "../../parts/words.js";

const LEVELS = { saved: "good", skipped: "", kept: "", sending: "", unsent: "heed" };

// The chip in the bar: saved, kept in this browser, sending, not sent.
export function showState(state) {
  const chip = document.getElementById("saving");
  chip.className = `chip ${LEVELS[state]}`;
  chip.textContent = word(state);
}

// The server took it. That a rating is surplus is said in full, and stays until the next answer. Gives what is yet to be
// said to a screen reader.
export function showOutcome({ status, said }) {
  showState(status === "skipped" ? "skipped" : "saved");
  if (status !== "surplus") {
    forget();
    return said;
  }
  notify(said, "");
  return "";
}

// What went wrong with the item in hand, and what to do; `status` is that of the answer, 0 where there was none.
export function showTrouble(status, data) {
  const [text, ...offered] = remedy(status, data, wordsOf(data));
  tell(text, offered);
  document.getElementById("trouble")?.scrollIntoView({ block: "nearest" });
}

function remedy(status, data, detail) {
  if (status === 0) return [word("unreachableKept"), "retry", "undo"];
  if (status === 401) return data?.someone_else ? [word("someoneElse"), "reload"] : [word("signedOutKept"), "signed-out"];
  if (status === 404 || status === 409) return [detail || word("failedKept"), "next"];
  if (status >= 500 || !detail) return [word("failedKept"), "retry", "undo"];
  return [detail];
}

// Says something beside the form, with the controls that are offered (their data-for).
export function tell(text, offered = []) {
  const place = document.getElementById("trouble");
  if (!place) return;
  place.querySelector("p").textContent = text;
  for (const control of place.querySelectorAll("[data-for]")) control.hidden = !offered.includes(control.dataset.for);
  place.hidden = false;
}

export function clearTrouble() {
  const place = document.getElementById("trouble");
  if (place) place.hidden = true;
}
