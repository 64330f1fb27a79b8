// Elements are made with textContent alone: whatever a program calls its variables, it is never markup.
export const get = (id) => document.getElementById(id);

export function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  return element;
}

export function draw(tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

export function row(...cells) {
  const line = make("tr");
  for (const cell of cells) line.append(cell instanceof Node ? cell : make("td", cell));
  return line;
}

const colours = 8;
// The colour of a thread, by its number.
export function paint(element, thread) {
  const number = Number(/\d+$/.exec(thread)?.[0] ?? 0);
  element.style.setProperty("--lane", `var(--lane${number % colours})`);
  return element;
}

export function token(thread) {
  return paint(make("span", thread, "token"), thread);
}
