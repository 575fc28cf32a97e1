// Change over a parameter: one facet a benchmark, a line for each value of the second parameter,
// whiskers are intervals, the band is the margin, the tinted side is the worse one.
// Needs: rows {bench, cls, params, change, low, high, verdict, higher}.
import { scaleLinear, scalePoint } from '../lib/scales.mjs';
import { line } from 'd3-shape';
import { add, Labels, axisY } from '../lib/svg.mjs';
import { verdictColour, isShown } from '../lib/verdict.mjs';
import { withSign } from '../lib/format.mjs';

const [HEIGHT, TOP, BOTTOM] = [148, 8, 122];

export function facets(rows) {
  const made = new Map();
  rows.bench.forEach((bench, i) => {
    const name = rows.cls[i] + '/' + bench;
    const [parameter, by] = Object.keys(rows.params[i]);
    if (!made.has(name)) made.set(name, { name, parameter, by, higher: rows.higher[i],
      points: [] });
    const of = by ? String(rows.params[i][by]) : '';
    made.get(name).points.push({ i, x: rows.params[i][parameter], of });
  });
  return [...made.values()].filter((facet) => facet.points.length >= 3);
}

export function drawLines(svg, width, facet, rows, margin, reach) {
  const [x0, x1] = [40, width - 44];
  const values = [...new Set(facet.points.map((p) => p.x))].sort((a, b) => a - b);
  const x = scalePoint(values, [x0 + 10, x1 - 10]);
  const y = scaleLinear([-reach, reach], [BOTTOM, TOP]).clamp(true);
  const wide = { x: x0, width: x1 - x0 };
  const worse = facet.higher ? [y(-margin), BOTTOM] : [TOP, y(margin)];
  add(svg, 'rect', { ...wide, y: worse[0], height: worse[1] - worse[0], fill: 'var(--worsetint)' });
  add(svg, 'rect', { ...wide, y: y(margin), height: y(-margin) - y(margin), fill: 'var(--band)' });
  axisY(svg, y, x0, x1, (v) => withSign(v, 0) + '%', 4);
  const labels = new Labels(0, width);
  [...new Set(facet.points.map((p) => p.of))].forEach((of, k) => {
    const points = facet.points.filter((p) => p.of === of && rows.change[p.i] !== null)
      .sort((a, b) => a.x - b.x);
    const path = line().x((p) => x(p.x)).y((p) => y(rows.change[p.i]));
    const dash = k ? '4 3' : null;
    const look = { fill: 'none', stroke: 'var(--dotsoft)', 'stroke-width': 1.5 };
    add(svg, 'path', { d: path(points), ...look, 'stroke-dasharray': dash });
    for (const { i, x: value } of points) {
      const stroke = `var(--${verdictColour(rows.verdict[i])})`;
      const fill = isShown(rows.verdict[i]) ? stroke : 'var(--bg)';
      const at = { x1: x(value), x2: x(value), y1: y(rows.low[i]), y2: y(rows.high[i]) };
      add(svg, 'line', { ...at, stroke, 'stroke-width': 1.3 });
      const dot = { cx: x(value), cy: y(rows.change[i]), r: 3.4, fill, stroke,
        'stroke-width': 1.5 };
      add(svg, 'circle', dot);
    }
    const at = y(rows.change[points[points.length - 1].i]) + 4;
    const places = [[x1 + 4, at], [x1 + 4, at - 12], [x1 + 4, at + 12]];
    if (of) labels.put(svg, of, places, { anchor: 'start', kind: 'mid' });
  });
  for (const p of facet.points.filter((point) => rows.verdict[point.i] === 'LOST')) {
    const cross = `M${x(p.x) - 4} ${y(0) - 4}l8 8m0 -8l-8 8`;
    add(svg, 'path', { d: cross, stroke: 'var(--worse)', 'stroke-width': 2 });
    const places = [[x(p.x) - 8, y(0) - 10], [x(p.x) - 8, y(0) + 22]];
    labels.put(svg, `LOST ${p.of}`, places, { anchor: 'end', kind: 'worse' });
  }
  for (const v of values) add(svg, 'text', { x: x(v), y: HEIGHT - 10, 'text-anchor': 'middle' }, v);
  return HEIGHT;
}
