// <a data-opens="ID" href="the same as a page"> opens the dialog ID; <button data-closes> inside closes it.
export function openDialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      const dialog = document.getElementById(opener.dataset.opens);
      if (dialog) {
        event.preventDefault();
        dialog.showModal();
      }
    }
    const closer = event.target.closest("[data-closes]");
    if (closer) closer.closest("dialog").close();
    if (event.target.matches?.("dialog")) closeWhereOutside(event);
  });
}

function closeWhereOutside(event) {
  const box = event.target.getBoundingClientRect();
  const inside =
    event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  const byPointer = event.detail > 0; // a click made by a key has no place
  if (byPointer && !inside) event.target.close();
}
