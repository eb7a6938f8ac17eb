/** Days and moments that are typed are read in the reader's zone, which only the browser knows: it goes with the form. */
export function tellZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  for (const field of document.querySelectorAll("[data-zone]")) field.value = zone;
  for (const said of document.querySelectorAll("[data-without-zone]")) said.hidden = true;
}
