// What was submitted and not yet taken by the server. It survives a closed tab; each entry belongs to one person, and
// nobody else's are seen here. An entry: {id, kind: "rating"|"skip", address, body, assignment, campaign, label, draft,
// at, tried, refused}; `refused` is {status, detail} once the server has said no.
const PREFIX = "concord:outbox:";

export function outboxOf(person) {
  const prefix = `${PREFIX}${person}:`;
  const unkept = new Map(); // what the browser's storage would not take
  const watchers = [];
  let last = 0;

  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  }

  function all() {
    let names = [];
    try {
      names = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    } catch {
      // storage is switched off
    }
    const kept = names.map(read).filter((entry) => entry?.id);
    const ids = new Set(kept.map((entry) => entry.id));
    const rest = [...unkept.values()].filter((entry) => !ids.has(entry.id));
    return [...kept, ...rest].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  }

  function write(entry) {
    try {
      localStorage.setItem(prefix + entry.id, JSON.stringify(entry));
      unkept.delete(entry.id);
    } catch {
      unkept.set(entry.id, entry);
    }
    changed();
  }

  // elsewhere: in another tab; put: the entry that was put there, if that is what happened.
  function changed({ elsewhere = false, put = null } = {}) {
    for (const watcher of watchers) watcher({ elsewhere, put });
  }

  const get = (id) => read(prefix + id) ?? unkept.get(id) ?? null;

  addEventListener("storage", (event) => {
    if (event.key !== null && !event.key.startsWith(prefix)) return;
    changed({ elsewhere: true, put: event.newValue ? JSON.parse(event.newValue) : null });
  });
  addEventListener("beforeunload", (event) => {
    if (unkept.size) event.preventDefault(); // only then would something go with the page
  });

  return {
    all,
    get,
    waiting: () => all().filter((entry) => !entry.refused),
    refused: () => all().filter((entry) => entry.refused),
    put(entry) {
      last = Math.max(Date.now(), last + 1);
      write({ tried: 0, refused: null, ...entry, at: last });
    },
    change(id, changes) {
      const entry = get(id);
      if (entry) write({ ...entry, ...changes });
    },
    remove(id) {
      unkept.delete(id);
      try {
        localStorage.removeItem(prefix + id);
      } catch {
        // it was never there
      }
      changed();
    },
    onChange: (watcher) => watchers.push(watcher),
  };
}
