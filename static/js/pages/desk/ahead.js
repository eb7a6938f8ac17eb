// The items that are leased: the one in hand and the ones after it, as the server sent them. In memory alone: they are
// heavy, and not to lie about on a shared machine. An item: {assignment, expires_at, main}.
export function itemsAhead() {
  const known = new Map();
  let order = [];

  return {
    have: () => [...known.keys()].join(","),
    get: (assignment) => known.get(assignment),
    // The page's own first item.
    hold(item) {
      known.set(item.assignment, item);
      if (!order.includes(item.assignment)) order.unshift(item.assignment);
    },
    // What the server says is leased now; what it no longer names is forgotten.
    absorb(items) {
      order = items.map((item) => item.assignment);
      for (const assignment of known.keys()) if (!order.includes(assignment)) known.delete(assignment);
      for (const { assignment, expires_at, main } of items) {
        const item = known.get(assignment);
        if (item) item.expires_at = expires_at;
        else if (main) known.set(assignment, { assignment, expires_at, main });
      }
    },
    // The first that is not among the ones that are done with; of those that were refused only if nothing else is left.
    next({ done, refused }) {
      const open = order.filter((assignment) => known.has(assignment) && !done.has(assignment));
      return known.get(open.find((assignment) => !refused.has(assignment)) ?? open[0]) ?? null;
    },
  };
}
