// After a set time of active work a break is offered, between two items and never within one. The time is that of this
// sitting in this tab: it goes on over items and reloads, and begins anew after ten minutes away.
const NAME = "concord:sitting";
const AWAY = 600_000;

let sitting = read();

function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME));
    if (kept && Date.now() - kept.at < AWAY) return kept;
  } catch {
    // storage switched off, or not ours
  }
  return { seconds: 0, at: Date.now() };
}

function keep() {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(sitting));
  } catch {
    // counted for this page alone
  }
}

// Seconds of active work more.
export function satFor(seconds) {
  if (Date.now() - sitting.at >= AWAY) sitting.seconds = 0;
  sitting = { seconds: sitting.seconds + seconds, at: Date.now() };
  keep();
}

// To be called between two items.
export function offerRest() {
  const dialog = document.getElementById("rest");
  if (!dialog || document.querySelector("dialog[open]") || sitting.seconds < Number(dialog.dataset.minutes) * 60) return;
  sitting.seconds = 0; // whoever goes on is asked again after as long
  keep();
  dialog.showModal();
}
