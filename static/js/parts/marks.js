import { highlight, selectedIn } from "./selection.js";
import { sentenceList } from "./sentences.js";
import { find, toCodePoints, toUnits, trimmed } from "./text.js";
import { word } from "./words.js";

const NOTE = "note"; // a remark on a passage, and no violation (annotation/validation.py)

// Violation marks and notes of a rating: made in a dialog, kept as JSON in the form's field, shown in a list and in the
// response. Each is {type, start, end, quote, note}; start and end are code points of the response, or null.
export function marksOf({ field, onChange }) {
  const list = document.getElementById("marks");
  const response = document.getElementById("response");
  const dialog = document.getElementById("marking");
  const form = dialog.querySelector("form");
  const kinds = [...form.elements.namedItem("kind")];
  const [quoteField, noteField] = [document.getElementById("mark-quote"), document.getElementById("mark-note")];
  const problem = document.getElementById("mark-error");
  const passageButtons = [...document.querySelectorAll("[data-marks-passage]")];
  const text = response.textContent;
  const sentences = sentenceList({
    list: document.getElementById("mark-sentences"),
    text,
    language: response.lang,
    onPassage: take,
  });
  let marks = [];
  let editing = null; // the place of the mark in the list, where one is changed
  let passage = null; // what the dialog holds of the response, in units
  let pressed = null; // the passage selected when a finger came down on the button

  const nameOf = (type) => kinds.find((kind) => kind.value === type)?.dataset.name ?? type;
  const shownAt = (mark) => ({ ...toUnits(text, mark), remark: mark.type === NOTE });

  function set(changed, { silently = false } = {}) {
    marks = changed;
    field.value = JSON.stringify(marks);
    list.replaceChildren(...marks.map(row));
    document.getElementById("marks-count").textContent = marks.length ? `· ${marks.length}` : "";
    highlight(response, text, marks.filter((mark) => mark.start !== null).map(shownAt));
    if (!silently) onChange();
  }

  function row(mark, place) {
    const item = document.createElement("li");
    item.className = mark.type === NOTE ? "mark-made remark" : "mark-made";
    const change = button(nameOf(mark.type), word("change", { kind: nameOf(mark.type) }), () => open(place));
    change.classList.add("kind");
    const remove = button("✕", word("remove", { kind: nameOf(mark.type) }), () => {
      set(marks.toSpliced(place, 1));
      document.getElementById("add-mark").focus();
    });
    item.append(change, remove);
    if (mark.quote) item.append(element("q", mark.quote));
    if (mark.note) item.append(element("small", mark.note));
    return item;
  }

  function open(place = null) {
    const mark = place === null ? null : marks[place];
    editing = place;
    let chosen = pressed ?? selectedIn(response);
    pressed = null;
    if (!chosen && mark && mark.start !== null) chosen = toUnits(text, mark);
    take(chosen);
    sentences.show(chosen);
    document.getElementById("mark-by-sentence").hidden = sentences.size === 0;
    document.getElementById("mark-by-sentence").open = !chosen;
    noteField.value = mark?.note ?? "";
    for (const kind of kinds) kind.checked = kind.value === mark?.type;
    problem.textContent = "";
    dialog.showModal();
    (kinds.find((kind) => kind.checked) ?? kinds[0]).focus();
  }

  function take(chosen) {
    passage = chosen;
    quoteField.value = chosen ? text.slice(chosen.start, chosen.end) : "";
    dialog.dataset.quote = quoteField.value; // as the field made it, line breaks and all
  }

  function place() {
    if (!quoteField.value.trim()) return { start: null, end: null, quote: "" };
    let found = passage;
    if (quoteField.value !== dialog.dataset.quote) {
      found = find(text, quoteField.value) ?? find(text, quoteField.value.trim());
      found = found && trimmed(text, found);
    }
    return found && { ...toCodePoints(text, found), quote: text.slice(found.start, found.end) };
  }

  // The dialog stays when the next item comes: what is set here takes the place of what the item before had set.
  for (const part of [quoteField, document.getElementById("mark-sentences")]) part.lang = response.lang;
  form.onsubmit = (event) => {
    event.preventDefault();
    const kind = kinds.find((radio) => radio.checked);
    const where = place();
    const note = noteField.value.trim();
    if (!kind) return refuse("noKind", kinds[0]);
    if (!where) return refuse("noPassage", quoteField);
    if (kind.value === NOTE && where.start === null) return refuse("noteNeedsPassage", quoteField);
    if ("needsNote" in kind.dataset && !note) return refuse(kind.value === NOTE ? "noteNeedsWords" : "noNote", noteField);
    const mark = { type: kind.value, ...where, note };
    dialog.close();
    set(editing === null ? [...marks, mark] : marks.with(editing, mark));
    document.getSelection()?.removeAllRanges();
  };

  function refuse(why, target) {
    problem.textContent = word(why);
    target.focus();
  }

  document.getElementById("add-mark").hidden = false;
  document.getElementById("add-mark").addEventListener("click", () => open());
  for (const passageButton of passageButtons) {
    // A press must not lose what is selected. Where a touch drops it all the same, it is remembered until the click.
    passageButton.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      pressed = selectedIn(response);
    });
    passageButton.addEventListener("mousedown", (event) => event.preventDefault());
    for (const over of ["pointerup", "pointercancel"]) {
      passageButton.addEventListener(over, () => setTimeout(() => (pressed = null), 500)); // the click comes before
    }
    passageButton.addEventListener("click", () => open());
  }

  return {
    all: () => marks,
    set,
    open,
    offerSelection() {
      if (pressed) return;
      const offered = response.isConnected && selectedIn(response) !== null;
      for (const passageButton of passageButtons) passageButton.hidden = !offered;
      document.getElementById("mark-hint").hidden = offered;
    },
  };
}

function button(label, name, onClick) {
  const made = element("button", label);
  made.type = "button";
  made.className = "button quiet small";
  made.setAttribute("aria-label", name);
  made.addEventListener("click", onClick);
  return made;
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
