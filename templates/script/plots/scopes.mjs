// Scopes from left to right down their names: height is the mean of a step, colour the CV. A chain
// of single scopes that are all there is is one box. Needs: rows {scope, mean, cv}, total.
import { add, fitText, textWidth } from '../lib/svg.mjs';
import { quantity, percent } from '../lib/format.mjs';

const HEIGHT = 400;
const [LEAST, NAMED, DEEPEST, WIDEST] = [1, 13, 14, 300];
const LIMITS = [5, 15, 50, 150];
const ALL = 0.995;

export const CV_WORDS = ['below 5 %', '5 to 15', '15 to 50', '50 to 150', 'above 150 %'];
export const cvClass = (cv) => (cv === null ? 'rest' : 'v' + LIMITS.filter((l) => cv >= l).length);

// Each scope with those below it; the root is all ops.
export function scopeTree(rows, total) {
  const nodes = rows.scope.map((name, i) => ({ name, i, mean: rows.mean[i], cv: rows.cv[i],
    below: [] }));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const root = { name: '', label: total.label, mean: total.mean, cv: total.cv, below: [] };
  for (const node of nodes) {
    let up = node.name;
    do up = up.slice(0, Math.max(0, up.lastIndexOf('/'))); while (up && !byName.has(up));
    node.up = byName.get(up) || root;
    node.label = node.name.slice(up ? up.length + 1 : 0);
    node.up.below.push(node);
  }
  return { root, byName };
}

function endOf(node) {
  let end = node;
  while (end.below.length === 1 && end.below[0].mean >= end.mean * ALL) [end] = end.below;
  return end;
}

function place(node, y, height, depth, boxes) {
  const end = node.up ? endOf(node) : node;
  boxes.push({ node, end, y, height, depth });
  if (depth + 1 === DEEPEST || !(end.mean > 0)) return;
  let below = y;
  for (const child of [...end.below].sort((a, b) => b.mean - a.mean)) {
    const tall = Math.min((child.mean / end.mean) * height, y + height - below);
    if (!(tall >= LEAST)) break;
    place(child, below, tall, depth + 1, boxes);
    below += tall;
  }
}

// Draws, and returns what a key goes over: the scopes that have a box, in their order.
export function drawScopes(svg, width, start, { base, near, onPick, onHover }) {
  const boxes = [];
  place(start, 0, HEIGHT, 0, boxes);
  const columns = 1 + boxes.reduce((most, box) => Math.max(most, box.depth), 0);
  const wide = Math.min(WIDEST, width / columns);
  for (const { node, end, y, height, depth } of boxes) {
    const kind = cvClass(end.cv);
    const x = depth * wide;
    const box = add(svg, 'rect', { x, y, width: Math.max(1, wide - 1), class: 'scope',
      height: Math.max(0.5, height - 1), fill: `var(--${kind})`, 'style.cursor': 'pointer' });
    if (end === near) box.attr('stroke', 'var(--accent)').attr('stroke-width', 3);
    box.on('click', () => onPick(end)).on('mouseover', () => onHover(end));
    const value = quantity(end.mean, base);
    const cv = end.cv === null ? '' : `, CV ${percent(end.cv)} %`;
    add(box, 'title', {}, `${end.name || end.label}: ${value}${cv}`);
    if (height < NAMED) continue;
    const line = { y: y + Math.min(height / 2 + 4, 15), 'style.fill': `var(--on${kind})`,
      'pointer-events': 'none' };
    const whole = end.name.slice(node.name.length - (node.label || '').length) || node.label;
    const taken = textWidth(value) + 14;
    if (wide > taken) {
      add(svg, 'text', { ...line, x: x + wide - 6, 'text-anchor': 'end' }, value);
    }
    const label = fitText(whole, wide - taken - 6);
    if (label) add(svg, 'text', { ...line, x: x + 5 }, label);
  }
  return { height: HEIGHT, nodes: boxes.map(({ end }) => end) };
}
