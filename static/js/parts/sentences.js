import { trimmed } from "./text.js";

// The sentences of a text as passages in UTF-16 units, without the blanks between them. The browser's own rules know
// Chinese stops as well as Latin ones; a line is a sentence of its own.
export function sentencesOf(text, language) {
  const found = new Intl.Segmenter(language || undefined, { granularity: "sentence" }).segment(text);
  return [...found]
    .map(({ index, segment }) => trimmed(text, { start: index, end: index + segment.length }))
    .filter((passage) => passage !== null);
}

// A list of the sentences as boxes: those ticked are one passage, from the first to the last. Up and Down go from box to
// box, so that the list is one stop of Tab.
export function sentenceList({ list, text, language, onPassage }) {
  const sentences = sentencesOf(text, language);
  const boxes = [];
  list.replaceChildren(...sentences.map(row));

  function row({ start, end }, place) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.tabIndex = place === 0 ? 0 : -1;
    box.addEventListener("change", () => extend(place));
    boxes.push(box);
    const words = document.createElement("span");
    words.textContent = text.slice(start, end);
    label.append(box, words);
    return label;
  }

  // Ticked: the passage reaches to here. Unticked: it ends before here; at its first sentence, it begins after it.
  function extend(place) {
    const ticked = boxes.flatMap((box, i) => (box.checked ? [i] : []));
    let [first, last] = [Math.min(...ticked), Math.max(...ticked)];
    if (ticked.length && !boxes[place].checked && place > first) last = Math.min(last, place - 1);
    boxes.forEach((box, i) => (box.checked = i >= first && i <= last));
    onPassage(ticked.length ? { start: sentences[first].start, end: sentences[last].end } : null);
  }

  list.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = boxes.indexOf(event.target);
    const next = step && boxes[from + step];
    if (from < 0 || !next) return;
    event.preventDefault();
    for (const box of boxes) box.tabIndex = box === next ? 0 : -1;
    next.focus();
  };

  return {
    size: sentences.length,
    // Ticks the sentences that the passage touches; null ticks none.
    show(passage) {
      sentences.forEach(({ start, end }, i) => (boxes[i].checked = !!passage && start < passage.end && passage.start < end));
    },
  };
}
