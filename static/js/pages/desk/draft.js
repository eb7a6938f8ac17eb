import { dropDraft, keepDraft, PREFIX, readDraft } from "../../parts/drafts.js";
import { send } from "../../parts/sending.js";
import { word } from "../../parts/words.js";

const TAB = Math.random().toString(36).slice(2);
const SYNC_AFTER = 3_000;
const SYNC_AGAIN = 15_000;

// What is typed of the item in hand: kept in this browser at once, on the server a few seconds later. Where another tab
// or machine has another draft of it, the newer is shown and the other offered; neither is overwritten unseen.
// `read()` gives {scores, marks, rationale, needs_expert}, `write(content)` puts it into the form, `about` is what is kept
// beside it; `stored` is the server's draft or null, `address` where it is sent, "" for an edit.
export function draftOf({ name, address, stored, read, write, about, onRestored, onKept, onSignedOut }) {
  const line = document.getElementById("other-draft");
  const local = readDraft(name);
  let typedAt = 0; // when what is shown was typed; 0 for a form as it came
  let seen = 0; // the newest of the other tabs' drafts that this one has looked at
  const ours = new Set([local?.known ?? 0]); // saved_at of what this browser sent: the server's of that time is no other's
  let least = 0; // what is sent must be newer than what was looked at and not chosen
  let other = null; // {content, at} that is offered
  let unsent = false;
  let sending = false;
  let timer = 0;
  let closed = false;
  let over = !address;

  open();
  line.querySelector("[data-look]").onclick = look;
  line.querySelector("[data-keep]").onclick = settle;
  addEventListener("storage", onStorage);
  addEventListener("pagehide", sendLast);

  function open() {
    const found = [local && { content: local, at: local.at, local }];
    if (stored && Date.parse(stored.saved_at) > (local?.known ?? 0)) found.push(fromServer(stored));
    if (local?.other && !local.settled) found.push(local.other);
    const [newest, ...older] = found.filter(Boolean).sort((one, another) => another.at - one.at);
    if (!newest) return;
    show(newest);
    onRestored(local, Math.max(local?.seconds ?? 0, stored?.seconds ?? 0));
    seen = local?.at ?? 0;
    if (newest.local && !(stored && same(stored, local))) {
      unsent = true;
      schedule(SYNC_AFTER);
    }
    const different = older.find(({ content }) => !same(content, newest.content));
    if (different) offer(different);
  }

  function show({ content, at }) {
    write(content);
    typedAt = at;
  }

  function typed() {
    typedAt = Math.max(Date.now(), least);
    unsent = true;
    keep({ typing: true });
    schedule(SYNC_AFTER);
  }

  function keep({ typing = false } = {}) {
    const there = readDraft(name);
    const anothers = there && there.tab !== TAB && there.at > seen && !same(there, read());
    if (anothers && !typing) return;
    if (anothers) offer({ content: there, at: there.at });
    if (there) seen = Math.max(seen, there.at);
    const known = Math.max(...ours);
    const kept = keepDraft(name, { ...about(), ...read(), at: typedAt || Date.now(), tab: TAB, known, ...beside(there) });
    if (kept) onKept();
  }

  function beside(there) {
    if (other) return { other, settled: line.hidden };
    return there?.other ? { other: there.other, settled: there.settled } : {};
  }

  function offer(found) {
    other = { content: pick(found.content), at: found.at };
    const time = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" }).format(new Date(found.at));
    line.querySelector("p").textContent = word("otherDraft", { time });
    line.hidden = false;
    clearTimeout(timer); // until it is chosen, the server keeps its own
  }

  // What stands here and the other change places.
  function look() {
    const mine = { content: pick(read()), at: typedAt };
    const theirs = other;
    show(theirs);
    offer(mine);
    keep();
  }

  function settle() {
    line.hidden = true;
    least = Math.max(least, other.at + 1);
    typed();
  }

  function schedule(after) {
    clearTimeout(timer);
    if (!over && !sending && line.hidden) timer = setTimeout(sync, after);
  }

  async function sync() {
    const sent = sendable();
    sending = true;
    unsent = false;
    const { status, data } = await send(address, sent, { method: "PUT" });
    sending = false;
    if (over) return;
    if (status === 200) {
      ours.add(Date.parse(data.saved_at));
      if (data.replaced && !ours.has(Date.parse(data.replaced.saved_at))) offer(fromServer(data.replaced));
      keep();
      if (unsent) schedule(SYNC_AFTER);
    } else if (status === 409 && data?.draft) {
      offer(fromServer(data.draft));
    } else if (status === 401) {
      unsent = true;
      onSignedOut(data);
    } else if (status === 0 || status === 429 || status >= 500) {
      unsent = true;
      schedule(SYNC_AGAIN);
    } else {
      over = true; // submitted meanwhile, or no longer theirs: the browser keeps it
    }
  }

  function sendable() {
    ours.add(typedAt);
    return { ...pick(read()), seconds: about().seconds, saved_at: new Date(typedAt).toISOString() };
  }

  function sendLast() {
    if (unsent && !over && line.hidden) send(address, sendable(), { method: "PUT", keepalive: true });
    unsent = false;
  }

  function onStorage({ key, newValue }) {
    if (key !== PREFIX + name || !newValue) return;
    const there = JSON.parse(newValue);
    if (there.tab !== TAB && there.at > Math.max(seen, typedAt) && !same(there, read())) offer({ content: there, at: there.at });
  }

  return {
    typed,
    keep,
    get touched() {
      return typedAt > 0;
    },
    drop: () => dropDraft(name),
    sync: () => unsent && schedule(0),
    // The item leaves the desk; what was typed of it stays kept.
    close({ submitted }) {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      if (!submitted) sendLast();
      over = true;
      removeEventListener("storage", onStorage);
      removeEventListener("pagehide", sendLast);
    },
  };
}

const fromServer = (draft) => ({ content: draft, at: Date.parse(draft.saved_at) });

// As the server takes it: levels as numbers, none where none is chosen.
function pick({ scores, marks, rationale, needs_expert }) {
  const chosen = Object.entries(scores ?? {}).filter(([, level]) => level !== "" && level !== null);
  return {
    scores: Object.fromEntries(chosen.map(([key, level]) => [key, Number(level)])),
    marks: marks ?? [],
    rationale: rationale ?? "",
    needs_expert: needs_expert ?? false,
  };
}

function same(one, another) {
  return canonical(one) === canonical(another);
}

function canonical(content) {
  const { scores, marks, rationale, needs_expert } = pick(content);
  const places = marks.map(({ type, start, end, quote, note }) => [type, start ?? null, end ?? null, quote ?? "", note ?? ""]);
  return JSON.stringify([Object.entries(scores).sort(), places, rationale, needs_expert]);
}
