// Timeline: the longest step under the median step, on one scale of time, a lane for each thread
// and device. Needs: timeline [{step, title, length, lanes: [{name, items: [[start, length, kind,
// name]]}]}].
import { scaleLinear } from '../lib/scales.mjs';
import { add, axisX, boxLabel, fill } from '../lib/svg.mjs';
import { fixed } from '../lib/format.mjs';

const LANE = 17;

export function drawTimeline(svg, width, steps, unit) {
  const x0 = Math.min(104, width * 0.26);
  const longest = Math.max(...steps.map((s) => s.length));
  const x = scaleLinear([0, longest * unit.factor], [x0, width - 12]);
  let y = 4;
  for (const step of steps) {
    add(svg, 'text', { class: 'strong', x: 0, y: y + 10 }, `step ${step.step}, the ${step.title}`);
    y += 18;
    const end = x(step.length * unit.factor);
    for (const lane of step.lanes) {
      add(svg, 'text', { x: 0, y: y + 12 }, lane.name);
      add(svg, 'rect', { x: x0, y, width: end - x0, height: LANE, fill: 'var(--band)' });
      for (const [start, length, kind, name] of lane.items) {
        const [a, b] = [x(start * unit.factor), x((start + length) * unit.factor)];
        const wide = Math.max(0.7, b - a);
        const box = add(svg, 'rect', { x: a, y, width: wide, height: LANE, fill: fill(kind) });
        const [long, from] = [length, start].map((v) => fixed(v * unit.factor, 2));
        add(box, 'title', {}, `${name} ${long} ${unit.name}, from ${from}`);
        const texts = name ? [`${name} ${fixed(length * unit.factor, 1)}`, name] : [];
        boxLabel(svg, a, y + 12.5, b - a, kind, texts);
      }
      y += LANE + 3;
      add(svg, 'line', { x1: end, x2: end, y1: y - LANE - 3, y2: y - 3, stroke: 'var(--ink)' });
    }
    y += 9;
  }
  axisX(svg, x, y - 4, (v) => fixed(v, 0), { ticks: width < 500 ? 4 : 9, size: 4 });
  add(svg, 'text', { x: x0 - 8, y: y + 15, 'text-anchor': 'end' }, unit.name);
  return y + 22;
}
