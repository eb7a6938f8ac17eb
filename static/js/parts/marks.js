import { highlight, selectedIn } from "./selection.js";
import { find, toCodePoints, toUnits, trimmed } from "./text.js";
import { word } from "./words.js";

// Violation marks of a rating: made in a dialog, kept as JSON in the form's field, shown in a list and in the response.
// A mark is {type, start, end, quote, note}; start and end are code points of the response, or null.
export function marksOf({ field, onChange }) {
  const list = document.getElementById("marks");
  const response = document.getElementById("response");
  const dialog = document.getElementById("marking");
  const form = dialog.querySelector("form");
  const kinds = [...form.elements.namedItem("kind")];
  const [quoteField, noteField] = [document.getElementById("mark-quote"), document.getElementById("mark-note")];
  const problem = document.getElementById("mark-error");
  const text = response.textContent;
  let marks = [];
  let editing = null; // the place of the mark in the list, where one is changed
  let passage = null; // what the dialog was opened with, in units

  const nameOf = (type) => kinds.find((kind) => kind.value === type)?.dataset.name ?? type;

  function set(changed, { silently = false } = {}) {
    marks = changed;
    field.value = JSON.stringify(marks);
    list.replaceChildren(...marks.map(row));
    document.getElementById("marks-count").textContent = marks.length ? `· ${marks.length}` : "";
    highlight(response, text, marks.filter((mark) => mark.start !== null).map((mark) => toUnits(text, mark)));
    if (!silently) onChange();
  }

  function row(mark, place) {
    const item = document.createElement("li");
    item.className = "mark-made";
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
    passage = selectedIn(response);
    if (!passage && mark && mark.start !== null) passage = toUnits(text, mark);
    quoteField.value = passage ? text.slice(passage.start, passage.end) : "";
    noteField.value = mark?.note ?? "";
    for (const kind of kinds) kind.checked = kind.value === mark?.type;
    problem.textContent = "";
    dialog.dataset.quote = quoteField.value; // as the field made it, line breaks and all
    dialog.showModal();
    (kinds.find((kind) => kind.checked) ?? kinds[0]).focus();
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

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const kind = kinds.find((radio) => radio.checked);
    const where = place();
    const note = noteField.value.trim();
    if (!kind) return refuse("noKind", kinds[0]);
    if (!where) return refuse("noPassage", quoteField);
    if ("needsNote" in kind.dataset && !note) return refuse("noNote", noteField);
    const mark = { type: kind.value, ...where, note };
    dialog.close();
    set(editing === null ? [...marks, mark] : marks.with(editing, mark));
    document.getSelection()?.removeAllRanges();
  });

  function refuse(why, target) {
    problem.textContent = word(why);
    target.focus();
  }

  document.getElementById("add-mark").hidden = false;
  document.getElementById("add-mark").addEventListener("click", () => open());
  const passageButton = document.getElementById("mark-passage");
  passageButton.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the selection
  passageButton.addEventListener("click", () => open());

  return {
    all: () => marks,
    set,
    open,
    offerSelection() {
      const offered = response.isConnected && selectedIn(response) !== null;
      passageButton.hidden = !offered;
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
