// SPDX-License-Identifier: Apache-2.0
// The theme's own file of this name is not in Debian: tables look as the theme draws those of Sphinx, and wide ones scroll.
document.querySelectorAll('div[role="main"] table').forEach((table) => {
  const frame = document.createElement('div');
  frame.className = 'wy-table-responsive';
  table.replaceWith(frame);
  frame.append(table);
  table.classList.add('docutils');
});
// A group of pages leads to its first; as "#", the theme would take every group for the page that is shown.
document.querySelectorAll('.wy-menu-vertical a[href="#"]').forEach((group) => {
  const first = group.parentElement.querySelector('ul a');
  if (first) group.href = first.href;
});
