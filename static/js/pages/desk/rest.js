// After a set time of active work a break is offered, between two items and never within one. The time is that of this
// sitting in this tab: it goes on over items and reloads, and begins anew after ten minutes away.
const NAME = "concord:sitting";
const AWAY = 600_000;

let sitting = { seconds: 0, at: Date.now() };

export function offerRests() {
  sitting = read() ?? sitting;
  document.addEventListener("desk:worked", ({ detail }) => satFor(detail.seconds));
  let first = true; // the item that the page came with: whoever reloads may be in the midst of it
  document.addEventListener("desk:shown", ({ detail }) => {
    if (!first && detail.assignment && !isEdit()) offer();
    first = false;
  });
}

function isEdit() {
  return Boolean(document.querySelector("#rating [name=supersedes]")?.value);
}

function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME));
    return kept && Date.now() - kept.at < AWAY ? kept : null;
  } catch {
    return null; // storage switched off, or not ours
  }
}

function keep() {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(sitting));
  } catch {
    // counted for this page alone
  }
}

function satFor(seconds) {
  const before = Date.now() - sitting.at < AWAY ? sitting.seconds : 0;
  sitting = { seconds: before + seconds, at: Date.now() };
  keep();
}

function offer() {
  const dialog = document.getElementById("rest");
  if (!dialog || document.querySelector("dialog[open]") || sitting.seconds < Number(dialog.dataset.minutes) * 60) return;
  sitting.seconds = 0; // whoever goes on is asked again after as long
  keep();
  dialog.showModal();
}
