// Sentences that scripts say stand in the page, so that they are translated with it.
export function word(name, values = {}) {
  const text = document.getElementById("words").dataset[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}
