import { trimmed } from "./text.js";

// The part of the selection that lies in the element, in UTF-16 units of its text; null where there is none.
export function selectedIn(element) {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(element)) return null;
  const text = element.textContent;
  const start = unitsBefore(element, range.startContainer, range.startOffset, 0);
  const end = unitsBefore(element, range.endContainer, range.endOffset, text.length);
  return trimmed(text, { start, end });
}

function unitsBefore(element, node, offset, outside) {
  if (!element.contains(node)) return outside;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(node, offset);
  return before.toString().length;
}

// Shows the passages ({start, end, remark}) in the element's text; the text itself stays the same.
export function highlight(element, text, passages) {
  const shown = [];
  let at = 0;
  for (const { start, end, remark } of passages.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(start, at);
    if (from >= end) continue;
    shown.push(text.slice(at, from));
    const mark = document.createElement("mark");
    if (remark) mark.className = "remark";
    mark.textContent = text.slice(from, end);
    shown.push(mark);
    at = end;
  }
  shown.push(text.slice(at));
  element.replaceChildren(...shown);
}
