// What is typed is kept in this browser at once, under a name that the server gives the item.
export const PREFIX = "concord:draft:";
const DAYS = 30;

export function readDraft(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null; // storage switched off, or not ours
  }
}

export function keepDraft(name, draft) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify({ at: Date.now(), ...draft }));
    return true;
  } catch {
    return false; // full, or switched off: the page still holds it
  }
}

export function dropDraft(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // nothing was kept
  }
}

export function dropOldDrafts() {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const at = readDraft(key.slice(PREFIX.length))?.at ?? 0;
      if (Date.now() - at > DAYS * 86_400_000) localStorage.removeItem(key);
    }
  } catch {
    // nothing was kept
  }
}
