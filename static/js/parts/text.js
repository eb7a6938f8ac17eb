// Places in a text. The server counts code points, the browser UTF-16 units; an emoji is one of the first, two of the second.

export function codePoints(text) {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}

export function toCodePoints(text, { start, end }) {
  const before = codePoints(text.slice(0, start));
  return { start: before, end: before + codePoints(text.slice(start, end)) };
}

export function toUnits(text, { start, end }) {
  const points = [...text];
  const before = points.slice(0, start).join("").length;
  return { start: before, end: before + points.slice(start, end).join("").length };
}

// The passage without blanks at its ends and without half of a surrogate pair; null where nothing is left.
export function trimmed(text, { start, end }) {
  if (isLow(text.charCodeAt(start))) start -= 1;
  if (isLow(text.charCodeAt(end))) end += 1;
  while (start < end && /\s/u.test(text[start])) start += 1;
  while (end > start && /\s/u.test(text[end - 1])) end -= 1;
  return start < end ? { start, end } : null;
}

function isLow(unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

// Where a typed passage stands in the text (units), or null. A text field turns CR LF into LF; the text keeps its own.
export function find(text, passage) {
  const exact = text.indexOf(passage);
  if (exact >= 0) return { start: exact, end: exact + passage.length };
  const places = [];
  let plain = "";
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "\r" && text[i + 1] === "\n") continue;
    places.push(i);
    plain += text[i] === "\r" ? "\n" : text[i];
  }
  places.push(text.length);
  const found = plain.indexOf(passage);
  return found < 0 ? null : { start: places[found], end: places[found + passage.length] };
}
