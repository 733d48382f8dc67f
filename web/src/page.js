// SPDX-License-Identifier: Apache-2.0
// Makes the page of the document in its own source, as docs/report.md describes it.
import { algorithmsSection } from './algorithms_section.js';
import { compareSection } from './compare_section.js';
import { comparedAlgorithms } from './compared_algorithms.js';
import { comparedSchedules } from './compared_schedules.js';
import { comparedSimulations } from './compared_simulations.js';
import { unpacked } from './data.js';
import { designSections } from './design_section.js';
import { element } from './dom.js';
import { placed } from './layout.js';
import { networkSection } from './network_section.js';
import { routingSections } from './routing_section.js';
import { scheduleSection } from './schedule_section.js';
import { simulationSection } from './simulation_section.js';

const packed = JSON.parse(document.getElementById('data').textContent);

function ofFabric() {
  const data = unpacked(packed);
  data.network = placed(data.network);
  const network = networkSection(data);
  const mark = (links, layer) => {
    network.choose(layer);
    network.mark(links);
  };
  const parts = data.compare
    ? [comparedSimulations(data.compare), comparedAlgorithms(data.compare), comparedSchedules(data.compare)]
    : [simulationSection(data), algorithmsSection(data), scheduleSection(data)];
  return [compareSection(data), network.host, ...routingSections(data, mark), ...parts].filter(Boolean);
}

const sections = packed.design ? designSections(packed.design) : ofFabric();
document.getElementById('page').append(
  element('nav', { 'aria-label': 'Parts of this page' },
    ...sections.map((one) => element('a', { href: `#${one.id}` }, one.querySelector('h2').textContent))),
  ...sections);
// paper is white, and everything is on it when it is printed
for (const [event, paper] of [['beforeprint', true], ['afterprint', false]]) {
  addEventListener(event, () => sections.forEach((one) => one.print?.(paper)));
}
document.documentElement.dataset.ready = 'yes';
