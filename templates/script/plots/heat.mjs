// Heat map: a row each, a column for each step or night, colour on a stretched scale around 0
// (orange above, blue below), numbers where they fit, a bar of the mean at the right.
// Needs: rows [name], columns [label], values[row][column], mean [row], marked [row].
import { scaleBand, scaleLinear } from '../lib/scales.mjs';
import { max, min } from 'd3-array';
import { add, fitText, textWidth, thin } from '../lib/svg.mjs';

const WARM = ['v1', 'v2', 'v3', 'v4'];
const COOL = ['c1', 'c2', 'c3', 'c4'];

// Nearly nothing is grey; four classes to each side on an asinh scale.
export function heatColour(value, small, large) {
  if (value === null) return 'none';
  const size = Math.asinh(Math.abs(value) / small) / Math.asinh(large / small);
  const step = Math.min(3, Math.floor(size * 5) - 1);
  return step < 0 ? 'var(--band)' : `var(--${(value > 0 ? WARM : COOL)[step]})`;
}

const inkOn = (colour) => (colour === 'var(--band)' ? 'var(--ink2)'
  : colour.replace('--', '--on'));

export function drawHeat(svg, width, heat, options) {
  const { rowHeight = 24, format, small, large, chosen, onPick } = options;
  const widest = max(heat.rows, (name) => textWidth(name, true)) + 26;
  const x0 = Math.min(width * 0.34, widest);
  const x1 = heat.mean ? width - Math.min(170, width * 0.26) : width;
  const columns = heat.columns.map((label, c) => c);
  const x = scaleBand().domain(columns).range([x0, x1])
    .paddingInner(columns.length > 40 ? 0 : 0.03);
  const room = max(heat.values.flat(), (v) => (v === null ? 0 : textWidth(format(v)))) + 6;
  const numbers = x.bandwidth() > room && rowHeight >= 16;
  const every = Math.ceil(13 / rowHeight);
  const bottom = heat.rows.length * rowHeight;
  heat.rows.forEach((name, r) => {
    const y = r * rowHeight;
    const line = y + rowHeight / 2 + 4;
    const marked = Boolean(heat.marked && heat.marked.includes(r));
    const kind = marked ? 'strong' : 'mid';
    const shown = fitText((marked ? '▲ ' : '') + name, x0 - 10, true);
    if (marked || r % every === 0) {
      const place = { x: x0 - 8, y: line, 'text-anchor': 'end', class: kind };
      add(add(svg, 'text', place, shown), 'title', {}, name);
    }
    heat.values[r].forEach((value, c) => {
      const colour = heatColour(value, small, large);
      const box = { x: x(c), y: y + 0.5, width: x.bandwidth() + 0.3, height: rowHeight - 1 };
      const stroke = value === null ? 'var(--rule)' : null;
      const cell = add(svg, 'rect', { ...box, fill: colour, stroke });
      add(cell, 'title', {},
        `${name}, ${heat.columns[c]}: ${value === null ? 'none' : format(value)}`);
      if (!numbers || value === null) return;
      const middle = { x: x(c) + x.bandwidth() / 2, y: line, 'text-anchor': 'middle' };
      add(svg, 'text', { ...middle, 'style.fill': inkOn(colour) }, format(value));
    });
    const frame = { x: x0 - 1, y, width: x1 - x0 + 2, height: rowHeight, fill: 'none' };
    if (marked) add(svg, 'rect', { ...frame, stroke: 'var(--worse)', 'stroke-width': 1.5 });
    if (chosen === r) add(svg, 'rect', { ...frame, width: 3, x: x0 - 4, fill: 'var(--accent)' });
    if (onPick) {
      const hit = { x: 0, y, width, height: rowHeight, fill: 'none', 'pointer-events': 'all' };
      add(svg, 'rect', { ...hit, 'style.cursor': 'pointer' }).on('click', () => onPick(r));
    }
  });
  if (heat.mean) drawMeans(svg, heat, [x1 + 14, width], rowHeight, format);
  drawLabels(svg, heat, x, x0, x1, bottom + 15);
  return bottom + 22;
}

function drawLabels(svg, heat, x, x0, x1, y) {
  const widths = heat.columns.map((label) => textWidth(String(label)));
  let last = 0;
  for (const c of thin(widths.map((w, i) => i), (max(widths) + 14) / x.step())) {
    const half = widths[c] / 2;
    const at = Math.max(x0 + half, Math.min(x(c) + x.bandwidth() / 2, x1 - half));
    if (at - half < last + 6) continue;
    last = at + half;
    add(svg, 'text', { x: at, y, 'text-anchor': 'middle', class: 'mid' }, heat.columns[c]);
  }
}

function drawMeans(svg, heat, [x0, x1], rowHeight, format) {
  const room = max(heat.mean, (m) => textWidth(format(m))) + 8;
  const [low, high] = [Math.min(0, min(heat.mean)), Math.max(0, max(heat.mean))];
  const bar = scaleLinear([low, high || 1], [x0 + (low < 0 ? room : 0), x1 - room]);
  heat.mean.forEach((m, r) => {
    const y = r * rowHeight;
    const [a, b] = [bar(0), bar(m)].sort((p, q) => p - q);
    const fill = m > 0 && heat.marked && heat.marked.includes(r) ? 'var(--worsefill)'
      : 'var(--bar)';
    const height = Math.max(1, rowHeight * 0.6);
    add(svg, 'rect', { x: a, width: b - a, y: y + rowHeight * 0.2, height, fill });
    if (rowHeight < 12) return;
    const place = { x: m < 0 ? a - 4 : b + 4, y: y + rowHeight / 2 + 4, class: 'mid' };
    add(svg, 'text', { ...place, 'text-anchor': m < 0 ? 'end' : 'start' }, format(m));
  });
}
