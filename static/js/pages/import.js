// Shows the fields that belong to what is imported, and what was chosen.
import { word } from "../parts/words.js";

const form = document.getElementById("import");
const chosen = document.getElementById("chosen");
const choosers = [form.elements.upload, form.elements.folder];

function showFieldsOfKind() {
  const kind = form.elements.kind.value;
  for (const part of form.querySelectorAll(".of-scenarios, .of-responses")) {
    part.hidden = !part.classList.contains(`of-${kind}`);
  }
}

function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(units.length - 1, bytes ? Math.floor(Math.log10(bytes) / 3) : 0);
  const style = { style: "unit", unit: units[step], maximumFractionDigits: 1 };
  return new Intl.NumberFormat(document.documentElement.lang, style).format(bytes / 1000 ** step);
}

function sayWhatIsChosen() {
  const files = choosers.flatMap((chooser) => [...chooser.files]);
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const name = files.length === 1 ? "fileChosen" : "filesChosen";
  chosen.textContent = files.length ? word(name, { count: files.length, size: size(bytes) }) : "";
}

form.addEventListener("change", ({ target }) => {
  if (choosers.includes(target) && target.files.length) {
    // files or a folder, not both: the last choice holds
    for (const other of choosers) if (other !== target) other.value = "";
  }
  showFieldsOfKind();
  sayWhatIsChosen();
});
form.addEventListener("submit", () => {
  chosen.textContent = word("sending");
});
showFieldsOfKind();
sayWhatIsChosen();
