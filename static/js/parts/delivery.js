import { dropDraft } from "./drafts.js";
import { send } from "./sending.js";

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;
const MAY_PASS = new Set([0, 408, 425, 429]);

// Sends what waits in the outbox, one after the other in the order of work; one tab at a time. What cannot be sent now is
// tried again after growing pauses, when the network is back, and when the page is looked at. An entry leaves the outbox
// when the server has answered that it is saved.
// onTaken(entry, data); onRefused(entry, {status, data}) gives true where it has dealt with it; onHeldUp(status, data).
export function deliveryOf({ outbox, person, fieldsFor = () => ({}), onTaken, onRefused, onHeldUp }) {
  let pause = FIRST_PAUSE;
  let timer = 0;
  let running = false;
  let again = false;

  async function flush() {
    clearTimeout(timer);
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        if (outbox.waiting().length) await alone(drain);
      }
    } finally {
      running = false;
    }
  }

  async function drain() {
    for (let [entry] = outbox.waiting(); entry; [entry] = outbox.waiting()) {
      outbox.change(entry.id, { tried: entry.tried + 1 });
      const body = new URLSearchParams(entry.body);
      for (const [name, value] of Object.entries(fieldsFor(entry))) body.set(name, value);
      const answer = await send(entry.address, body, { headers: { "Concord-Person": person } });
      if (!take(entry, answer)) return;
    }
  }

  // True where the next one may be sent.
  function take(entry, { status, data }) {
    if (status === 200) {
      pause = FIRST_PAUSE;
      const takenBack = !outbox.get(entry.id); // while it was on its way
      outbox.remove(entry.id);
      if (!takenBack) {
        if (entry.draft) dropDraft(entry.draft);
        for (const old of outbox.refused()) if (old.assignment === entry.assignment) outbox.remove(old.id);
        onTaken(entry, data);
      }
      return true;
    }
    if (status === 409 && data?.rating && entry.amends) {
      // It was taken back when it may have been saved already: what is sent now is its edit.
      const body = new URLSearchParams(entry.body);
      body.set("supersedes", data.rating);
      outbox.change(entry.id, { body: body.toString(), amends: false });
      return true;
    }
    if (status === 401 || MAY_PASS.has(status) || status >= 500 || (status === 403 && !data)) {
      if (status !== 401) later();
      onHeldUp(status, data);
      return false;
    }
    if (outbox.get(entry.id) && !onRefused(entry, { status, data })) {
      outbox.change(entry.id, { refused: { status, detail: wordsOf(data) } });
    }
    return true;
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(flush, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }

  function now() {
    pause = FIRST_PAUSE;
    return flush();
  }

  addEventListener("online", now);
  addEventListener("focus", () => outbox.waiting().length && flush());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && flush());

  return { flush, now };
}

export function wordsOf(data) {
  return [data?.detail, ...Object.values(data?.fields ?? {}).flat()].filter(Boolean).join(" ");
}

// Two tabs never send at once, where the browser has locks (they need HTTPS, or this machine itself); else the client id
// alone keeps what is sent twice from being saved twice.
function alone(work) {
  return navigator.locks ? navigator.locks.request("concord:outbox", work) : work();
}
