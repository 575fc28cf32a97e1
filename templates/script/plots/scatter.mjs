// Share against CV, both logarithmic; ops on a slanted line vary by the same part of the step. The
// largest are named. Needs: rows {name, short, share, cv, jitter}.
import { scaleLog } from '../lib/scales.mjs';
import { max, min } from 'd3-array';
import { add, axisX, axisY, Labels, logTicks } from '../lib/svg.mjs';
import { fixed, shorten, percent } from '../lib/format.mjs';

const HEIGHT = 360;
const DECADES = 4; // what is farther below the largest stands at the edge
const NAMED = 12;
const LINES = [0.001, 0.01, 0.1, 1, 10, 100];

const plain = (v) => fixed(v, v < 0.01 ? 3 : v < 0.1 ? 2 : v < 1 ? 1 : 0);

// Rows that have a place, from left to right.
export const scattered = (rows) => rows.name.map((name, i) => i)
  .filter((i) => rows.share[i] > 0 && rows.cv[i] > 0)
  .sort((a, b) => rows.share[a] - rows.share[b]);

export function drawScatter(svg, width, rows, { chosen, near, onPick }) {
  const shown = scattered(rows);
  if (!shown.length) return 0;
  const bounds = (values) => {
    const high = max(shown, (i) => values[i]);
    return [Math.max(min(shown, (i) => values[i]), high / 10 ** DECADES) / 1.3, high * 1.3];
  };
  const [x0, x1, y0, y1] = [44, width - 8, 10, HEIGHT - 34];
  const x = scaleLog().domain(bounds(rows.share)).range([x0, x1]);
  const y = scaleLog().domain(bounds(rows.cv)).range([y1, y0]);
  const [left, right] = x.domain();
  const [low, high] = y.domain();
  axisX(svg, x, y1, plain, { ticks: logTicks(x) });
  axisY(svg, y, x0, x1, plain, logTicks(y));
  const labels = new Labels(x0, x1);
  for (const size of LINES) {
    const from = Math.max(left, size / high * 100);
    const to = Math.min(right, size / low * 100);
    if (!(to > from)) continue;
    const line = { x1: x(from), x2: x(to), y1: y(size / from * 100), y2: y(size / to * 100) };
    add(svg, 'line', { ...line, class: 'base', 'stroke-dasharray': '2 3' });
    labels.put(svg, `${plain(size)} % of a step`, [[x(to) - 4, y(size / to * 100) - 5]],
      { anchor: 'end' });
  }
  const place = (i) => [Math.max(x0, Math.min(x(Math.max(left, rows.share[i])), x1)),
    Math.max(y0, Math.min(y(Math.max(low, rows.cv[i])), y1))];
  for (const i of shown) {
    const [cx, cy] = place(i);
    labels.block(cx - 4, cy - 4, cx + 4, cy + 4);
    const ring = { stroke: 'var(--accent)', 'stroke-width': 2, fill: 'none' };
    if (i === near) add(svg, 'circle', { cx, cy, r: 9, ...ring });
    const dot = add(svg, 'circle', { cx, cy, r: rows.name[i] === chosen ? 7 : 4,
      fill: rows.name[i] === chosen ? 'var(--accent)' : 'var(--s1)', 'fill-opacity': 0.75,
      'style.cursor': 'pointer' });
    add(dot, 'title', {}, `${rows.name[i]}: share ${percent(rows.share[i])} %, ` +
      `CV ${percent(rows.cv[i])} %`);
    dot.on('click', () => onPick(rows.name[i]));
  }
  const weight = (i) => rows.share[i] * rows.cv[i];
  const largest = [...shown].sort((a, b) => weight(b) - weight(a)).slice(0, NAMED);
  for (const i of [...(shown.includes(near) ? [near] : []),
    ...largest.filter((other) => other !== near)]) {
    const [cx, cy] = place(i);
    const name = shorten(rows.short[i] || rows.name[i], 28);
    if (labels.put(svg, name, [[cx + 7, cy + 4]], { anchor: 'start', kind: 'mid' })) continue;
    labels.put(svg, name, [[cx - 7, cy + 4]], { anchor: 'end', kind: 'mid' });
  }
  add(svg, 'text', { x: x1, y: HEIGHT - 2, 'text-anchor': 'end' }, 'share of the step, %');
  add(svg, 'text', { x: x0 - 38, y: HEIGHT - 2 }, 'CV, % ↑');
  return HEIGHT;
}
