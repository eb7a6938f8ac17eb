import { word } from "../../parts/words.js";

// How far the person is: what the server last said, and what waits to be sent on top of it.
export function countsOf() {
  const place = document.getElementById("rate-count");
  const bar = document.getElementById("rate-progress");
  let work = { done: Number(place.dataset.done), total: Number(place.dataset.total) };

  return {
    heard: (said) => (work = said),
    show({ waiting, editing }) {
      const done = work.done + waiting;
      const total = Math.max(work.total, done);
      place.textContent = editing ? word("editing") : word("rated", { done, total });
      bar.max = total || 1;
      bar.value = done;
    },
  };
}
