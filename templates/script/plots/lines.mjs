// Change over a parameter: one facet a benchmark, a line for each value of the other parameters,
// whiskers are intervals, the band is the margin, the tinted side is the worse one.
// Needs: rows [{package, benchmark, measure, params, change, low, high, verdict, higher}].
import { scaleLinear, scalePoint } from '../lib/scales.mjs';
import { line } from 'd3-shape';
import { add, Labels, axisY, textWidth } from '../lib/svg.mjs';
import { verdictColour, isShown } from '../lib/verdict.mjs';
import { withSign, shorten } from '../lib/format.mjs';

const [HEIGHT, TOP, BOTTOM] = [148, 8, 122];
const LEAST = 3; // values of a parameter

// The parameter with the most numbers is the axis.
function axisOf(rows) {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row.params)))];
  const values = (key) => new Set(rows.map((row) => row.params[key])
    .filter((value) => value !== undefined && isFinite(value)));
  const counted = keys.map((key) => [key, values(key).size]).sort((a, b) => b[1] - a[1]);
  return counted.length && counted[0][1] >= LEAST ? counted[0][0] : null;
}

export function facets(rows) {
  const made = new Map();
  for (const row of rows) {
    const name = row.package ? `${row.package}/${row.benchmark}` : row.benchmark;
    const key = `${row.measure}\n${name}`;
    if (!made.has(key)) made.set(key, { name, measure: row.measure, higher: row.higher, rows: [] });
    made.get(key).rows.push(row);
  }
  return [...made.values()].map((facet) => {
    const parameter = axisOf(facet.rows);
    const others = (row) => Object.entries(row.params).filter(([key]) => key !== parameter);
    const points = facet.rows.filter((row) => isFinite(row.params[parameter])).map((row) =>
      ({ row, x: Number(row.params[parameter]), of: others(row).map((o) => o[1]).join(', ') }));
    const by = [...new Set(facet.rows.flatMap((row) => others(row).map((o) => o[0])))].join(', ');
    const named = /^\d+$/.test(parameter) ? `parameter ${parameter}` : parameter;
    return { ...facet, parameter: named, by: by.replace(/^\d+$/, 'parameter $&'), points };
  }).filter((facet) => facet.points.length >= LEAST);
}

function drawPoints(svg, points, x, y, dash) {
  const path = line().x((p) => x(p.x)).y((p) => y(p.row.change));
  const look = { fill: 'none', stroke: 'var(--dotsoft)', 'stroke-width': 1.5 };
  add(svg, 'path', { d: path(points), ...look, 'stroke-dasharray': dash });
  for (const { row, x: value } of points) {
    const stroke = `var(--${verdictColour(row.verdict)})`;
    const fill = isShown(row.verdict) ? stroke : 'var(--bg)';
    if (row.low !== null && row.high !== null) {
      const at = { x1: x(value), x2: x(value), y1: y(row.low), y2: y(row.high) };
      add(svg, 'line', { ...at, stroke, 'stroke-width': 1.3 });
    }
    add(svg, 'circle', { cx: x(value), cy: y(row.change), r: 3.4, fill, stroke,
      'stroke-width': 1.5 });
  }
}

export function drawLines(svg, width, facet, margin, reach) {
  const [x0, x1] = [40, width - (facet.by ? 64 : 14)];
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
    const points = facet.points.filter((p) => p.of === of && p.row.change !== null)
      .sort((a, b) => a.x - b.x);
    if (!points.length) return;
    drawPoints(svg, points, x, y, k ? '4 3' : null);
    const at = y(points[points.length - 1].row.change) + 4;
    const places = [[x1 + 4, at], [x1 + 4, at - 12], [x1 + 4, at + 12]];
    if (of) labels.put(svg, shorten(of, 9), places, { anchor: 'start', kind: 'mid' });
  });
  for (const p of facet.points.filter((point) => point.row.verdict === 'LOST')) {
    const cross = `M${x(p.x) - 4} ${y(0) - 4}l8 8m0 -8l-8 8`;
    add(svg, 'path', { d: cross, stroke: 'var(--worse)', 'stroke-width': 2 });
    const places = [[x(p.x) - 8, y(0) - 10], [x(p.x) - 8, y(0) + 22]];
    labels.put(svg, `LOST ${p.of}`, places, { anchor: 'end', kind: 'worse' });
  }
  let last = -99;
  for (const v of values) {
    const half = textWidth(String(v)) / 2 + 3;
    if (x(v) - half < last) continue;
    last = x(v) + half;
    add(svg, 'text', { x: x(v), y: HEIGHT - 10, 'text-anchor': 'middle' }, v);
  }
  return HEIGHT;
}
