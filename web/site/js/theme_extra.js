// SPDX-License-Identifier: Apache-2.0
// The theme's own file of this name is not in Debian: tables look as the theme draws those of Sphinx, and wide ones scroll.
document.querySelectorAll('div[role="main"] table').forEach((table) => {
  const frame = document.createElement('div');
  frame.className = 'wy-table-responsive';
  table.replaceWith(frame);
  frame.append(table);
  table.classList.add('docutils');
});
