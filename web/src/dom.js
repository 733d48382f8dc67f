// SPDX-License-Identifier: Apache-2.0
// Elements and numbers. Text is always set as text: names come from anyone's files.

/** element('a', {href: '#x', onclick: f}, 'text', child, ...): "on..." are listeners, false and null are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const coarse = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const fine = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

/** 1234.5 as "1,235", 0.12345 as "0.1235". */
export function number(value) {
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? whole.format(value) : fine.format(value);
}

/** With two digits or the whole part: "0.12", "1,235". */
export function brief(value) {
  return Math.abs(value) >= 100 ? whole.format(value) : coarse.format(value);
}

export function plural(count, word) {
  return `${number(count)} ${word}${count === 1 ? '' : 's'}`;
}

let labels = 0;
/** A label above its control. */
export function labelled(text, control) {
  control.id ||= `control-${++labels}`;
  return element('div', {}, element('label', { for: control.id }, text), control);
}

/** A section of the page with a heading that links lead to. */
export function section(id, title, ...children) {
  return element('section', { id, 'aria-labelledby': `${id}-title` }, element('h2', { id: `${id}-title` }, title), ...children);
}

/** A table: headings, then rows of cells; a cell is text, or [text, class]. */
export function table(headings, rows) {
  const cell = (name, value) => {
    const [text, style] = Array.isArray(value) ? value : [value, null];
    return element(name, { class: style, scope: name === 'th' ? 'col' : null }, text);
  };
  return element('div', { class: 'scroll-x', tabindex: 0, role: 'region', 'aria-label': 'table' },
    element('table', {},
      element('thead', {}, element('tr', {}, ...headings.map((heading) => cell('th', heading)))),
      element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((value) => cell('td', value)))))));
}
