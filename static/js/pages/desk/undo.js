import { keepDraft, readDraft } from "../../parts/drafts.js";
import { notify } from "../../parts/notices.js";
import { send } from "../../parts/sending.js";
import { word } from "../../parts/words.js";

// Back to the last rating: out of the outbox while it waits there, else as an edit of what the server has.
// show(item, {keep}) lays it on the desk; with `keep` the one in hand returns after it.
export function undoOf({ doors, outbox, ahead, onSignedOut, say, show, current }) {
  const edits = new Map(); // edits that wait in the outbox, to be shown again
  let asking = false;

  async function undo() {
    const { desk } = current();
    if (asking) return;
    if (desk?.edit && !desk.isHeld) return tell(word("undoOnce"));
    const entry = outbox.waiting().findLast(({ campaign }) => campaign === doors.campaign);
    if (entry) return takeBack(entry);
    asking = true;
    const { status, data } = await send(doors.last, null, { method: "GET", headers: { "Concord-Person": doors.person } });
    asking = false;
    if (status === 200) show({ ...data, edit: true }, { keep: true });
    else if (status === 401) onSignedOut(data);
    else tell(data?.detail ?? word("unreachable"));
  }

  // Without the network: what is on its way may have arrived, so that what is sent next is its edit then.
  function takeBack(entry) {
    const item = entry.edit ? edits.get(entry.id) : ahead.get(entry.assignment);
    if (!item) return tell(word("unreachable")); // from before the page was left, and not fetched yet
    const draft = readDraft(entry.draft);
    if (entry.kind === "rating" && entry.tried && draft) {
      keepDraft(entry.draft, { ...draft, client_id: newId(), amends: !entry.edit });
    }
    outbox.remove(entry.id);
    show(item, { keep: Boolean(entry.edit) });
  }

  function tell(text) {
    notify(text, "");
    say(text);
  }

  undo.remember = (id, item) => edits.set(id, item);
  return undo;
}

// crypto.randomUUID is there on HTTPS alone.
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
