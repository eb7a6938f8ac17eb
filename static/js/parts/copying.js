import { word } from "./words.js";

// <button data-copies="ID" hidden> puts the text of the element ID on the clipboard; without this script it stays hidden.
export function offerCopies() {
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copies);
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = word("copied");
  } catch {
    getSelection().selectAllChildren(source); // no leave to write: the text is marked, to be copied by hand
  }
}
