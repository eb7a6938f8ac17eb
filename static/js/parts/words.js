// Sentences that scripts say stand in the page, so that they are translated with it.
export function word(name, values = {}) {
  const text = document.getElementById("words").dataset[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

// A sentence with a number: NAME-one for one, NAME-other else; a language without such forms says the same twice.
export function countIn(name, n) {
  return word(`${name}${n === 1 ? "One" : "Other"}`, { n });
}
