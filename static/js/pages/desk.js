// The annotator's desk: what lies on it, what is sent behind it, and the way back. A submit is kept in the outbox and the
// next item takes its place at once; the server hears of it meanwhile.
import { countActivity } from "../parts/activity.js";
import { deliveryOf } from "../parts/delivery.js";
import { dropOldDrafts } from "../parts/drafts.js";
import { actionFor, isComposing, isShortcut, keyOf } from "../parts/keys.js";
import { outboxOf } from "../parts/outbox.js";
import { send } from "../parts/sending.js";
import { showLocalTimes } from "../parts/times.js";
import { countIn, word } from "../parts/words.js";
import { itemsAhead } from "./desk/ahead.js";
import { announceHeavyItems } from "./desk/care.js";
import { countsOf } from "./desk/counts.js";
import { flagScenarios } from "./desk/flag.js";
import { openDesk } from "./desk/item.js";
import { offerRests } from "./desk/rest.js";
import { signInPlace } from "./desk/sign_in.js";
import { clearTrouble, showOutcome, showState, showTrouble, tell } from "./desk/state.js";
import { undoOf } from "./desk/undo.js";
import { showWaiting } from "./desk/waiting.js";

const doors = document.getElementById("doors").dataset; // person, campaign, and where to ask for what
const LOOK_EVERY = 60_000;
const outbox = outboxOf(doors.person);
const ahead = itemsAhead();
const counts = countsOf();
const finished = new Set(); // assignments that the server has taken in this tab
let desk = null; // the item in hand; null where there is none
let shown = null; // what it is: {assignment, expires_at, main, edit}
let inHand = null; // laid aside while an earlier rating is edited
let awaited = ""; // the entry whose answer brings the next item, where none was there
let answers = 0; // of the server on what is leased
let lastLook = Date.now();
let signedOut = null; // what the server said when it did not know the person

const delivery = deliveryOf({
  outbox,
  person: doors.person,
  fieldsFor: (entry) => (entry.goesOn && entry.campaign === doors.campaign ? { have: ahead.have() } : {}),
  onTaken,
  onRefused,
  onHeldUp,
});
const signIn = signInPlace({
  onSignedIn() {
    signedOut = null;
    clearTrouble();
    say(word("signedIn"));
    desk?.signedIn();
    delivery.now();
    lookAhead();
  },
});
const undo = undoOf({ doors, outbox, ahead, onSignedOut, say, show: layDown, current: () => ({ desk, shown }) });

function say(text) {
  document.getElementById("said").textContent = text;
}

// Puts an item (or, with no assignment, the page that says why there is none) in the place of what lies there.
function show(item, said = "") {
  const waits = outbox.waiting().some((entry) => entry.assignment === shown.assignment);
  desk?.close({ submitted: awaited !== "" || waits });
  const arrived = new DOMParser().parseFromString(item.main, "text/html");
  for (const plain of arrived.querySelectorAll("noscript")) plain.remove(); // a parser without scripts opens them
  showLocalTimes(arrived);
  document.getElementById("main").replaceWith(arrived.getElementById("main"));
  scrollTo({ top: 0, behavior: "instant" });
  awaited = "";
  begin(item, { fresh: true });
  say(item.assignment ? `${said} ${word(item.edit ? "editingNow" : "nextItem")}`.trim() : said);
}

function begin(item, { fresh }) {
  shown = item;
  desk = item.assignment
    ? openDesk({ item, person: doors.person, fresh, onSubmit: submitted, onLost: lost, onSignedOut })
    : null;
  showCounts();
  if (desk) desk.focusFirst();
  else document.getElementById("main").focus({ preventScroll: true });
  if (signedOut) showTrouble(401, signedOut);
  document.dispatchEvent(new CustomEvent("desk:shown", { detail: { assignment: item.assignment } }));
}

// Lays an item on the desk on the way back; the one in hand returns after it.
function layDown(item, { keep }) {
  if (keep && desk && !desk.isHeld && !desk.edit) inHand = shown;
  show(item);
}

function showCounts() {
  const mine = outbox.waiting().filter((entry) => entry.campaign === doors.campaign);
  const left = mine.filter((entry) => entry.assignment !== shown.assignment); // what lies here still is not counted yet
  const waiting = left.filter((entry) => entry.kind === "rating" && !entry.edit).length;
  counts.show({ waiting, editing: Boolean(desk?.edit) });
}

function submitted(entry) {
  const goesOn = !entry.edit || inHand !== null || shown.edit === true;
  outbox.put({ ...entry, campaign: doors.campaign, goesOn });
  if (entry.edit) undo.remember(entry.id, shown);
  signedOut = null; // asked for again, should it be so
  showState("sending");
  if (!goOn()) {
    awaited = entry.id;
    desk.hold();
  }
  delivery.now();
}

// The next item that is here already; false where none is.
function goOn(said = "") {
  const waiting = new Set(outbox.waiting().map((entry) => entry.assignment));
  const refused = new Set(outbox.refused().map((entry) => entry.assignment));
  const done = new Set([...finished, ...waiting]);
  if (shown.assignment && !shown.edit) done.add(shown.assignment);
  const next = inHand && !done.has(inHand.assignment) ? inHand : ahead.next({ done, refused });
  inHand = null;
  if (next) show(next, said);
  return next !== null;
}

function onTaken(entry, data) {
  if (entry.kind !== "rating" || !entry.edit) finished.add(entry.assignment);
  if (data.next) heard(data.next);
  const said = showOutcome(data);
  if (awaited && !outbox.get(awaited)) {
    if (data.next) goOnAfter(data.next, said);
    else location.assign(data.location);
  } else {
    say(said);
    if (!desk && data.next) goOnAfter(data.next, said);
  }
}

function heard(next) {
  answers += 1;
  signedOut = null;
  ahead.absorb(next.items);
  counts.heard(next.work);
  showCounts();
}

function goOnAfter({ none }, said) {
  if (!goOn(said) && none && (awaited || desk)) show({ assignment: null, main: none }, said);
}

function onRefused(entry, answer) {
  if (entry.id !== awaited) return false;
  awaited = "";
  desk.release(answer);
  if (answer.status !== 400) return false; // the item may be left: what was typed is kept aside
  outbox.remove(entry.id);
  return true;
}

function onHeldUp(status, data) {
  showState("unsent");
  if (status === 401) return onSignedOut(data);
  if (awaited) showTrouble(status, data);
  say(countIn("waiting", outbox.waiting().length));
}

function onSignedOut(data) {
  const first = !signedOut;
  signedOut = data ?? {};
  showTrouble(401, signedOut);
  if (first && !signedOut.someone_else) signIn.offer();
}

function lost() {
  tell(word("leaseLost"), ["next"]);
  say(word("leaseLost"));
}

// What lies here was submitted in another tab, or another tab has sent what this one waits for.
function lookAround({ elsewhere, put }) {
  showCounts();
  if (!desk || !elsewhere) return;
  if (awaited && !outbox.get(awaited)) {
    lookAhead();
  } else if (!awaited && !desk.edit && put?.assignment === shown.assignment && !put.refused) {
    tell(word("submittedElsewhere"), ["next"]);
    say(word("submittedElsewhere"));
  }
}

async function lookAhead() {
  lastLook = Date.now();
  const asked = answers;
  const body = new URLSearchParams({ have: ahead.have() });
  const { status, data } = await send(doors.ahead, body, { headers: { "Concord-Person": doors.person } });
  if (status === 401) onSignedOut(data);
  if (status !== 200) return false;
  if (asked === answers) heard(data); // else a submit was answered meanwhile, which knows more
  if (awaited && !outbox.get(awaited)) goOnAfter(data, "");
  else if (outbox.get(awaited)?.goesOn) goOn();
  return true;
}

async function takeNext() {
  const heardOf = await lookAhead(); // another tab may have gone through what this one holds
  if (!goOn() && heardOf) location.assign(doors.rate);
}

const ACTS = {
  mark: () => desk.mark(),
  rationale: () => desk.writeRationale(),
  skip: () => desk.skip(),
};
const DIALOGS = { help: "keys", guideline: "guideline" };
const REMEDIES = {
  retry: delivery.now,
  next: takeNext,
  undo: () => undo(),
  "signed-out": signIn.ask,
  reload: () => location.reload(),
};

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
  if (action === "undo") return () => undo();
  if (!desk) return null;
  if (/^[1-9]$/.test(key)) return () => desk.answer(key);
  if (key === "Enter") return event.target.closest("a, button, summary, dialog") ? null : () => desk.submit();
  return ACTS[action] ?? null;
}

document.addEventListener("click", (event) => {
  const remedy = REMEDIES[event.target.closest("#trouble [data-for]")?.dataset.for];
  if (remedy) remedy();
  if (inHand && event.target.closest("[data-leaves-edit]")) {
    event.preventDefault();
    goOn();
  }
});
document.addEventListener("selectionchange", () => desk?.offerSelection());
for (const seen of ["focus", "visibilitychange"]) {
  window.addEventListener(seen, () => {
    if (document.visibilityState !== "visible" || Date.now() - lastLook < LOOK_EVERY) return;
    lastLook = Date.now();
    if (desk && !desk.edit) desk.renewIfDue();
    else lookAhead();
  });
}
countActivity((seconds) => {
  desk?.worked(seconds);
  document.dispatchEvent(new CustomEvent("desk:worked", { detail: { seconds } }));
});

function start() {
  const main = document.getElementById("main");
  const assignment = Number(main.dataset.assignment) || null;
  const expires_at = document.querySelector("#lease time")?.dateTime ?? null;
  const item = { assignment, expires_at, main: main.outerHTML };
  const edit = Boolean(document.querySelector("#rating [name=supersedes]")?.value);
  if (assignment && !edit) ahead.hold(item);
  begin(item, { fresh: false });
  const sent = outbox.waiting().find((entry) => !entry.edit && entry.assignment === assignment);
  if (sent && desk && !edit) {
    awaited = sent.id; // it was submitted before the page was left
    desk.hold();
    showState("sending");
  }
  outbox.onChange(lookAround);
  showWaiting({ outbox, onSendNow: delivery.now });
  delivery.flush();
  if (Number(doors.aheadOf)) lookAhead();
}

dropOldDrafts();
announceHeavyItems();
offerRests();
flagScenarios({ person: doors.person, say, onSignedOut });
start();
