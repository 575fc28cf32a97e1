'use strict';
// ---- shared by both pages. Text enters the page through text nodes only; nothing is parsed as markup.
const $ = (q, e = document) => e.querySelector(q), $$ = (q, e = document) => [...e.querySelectorAll(q)];
function fill(e, a, kids) {
  for (const k in a) {
    const v = a[k];
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v != null && v !== false) e.setAttribute(k, v === true ? '' : v);
  }
  for (const c of kids.flat(9)) if (c != null && c !== false) e.append(c);
  return e;
}
// h('td.l', {title: x}, kids) is <td class="l" title="x">; attributes may be left out.
const make = space => (name, a, ...kids) => {
  const [tag, ...cls] = name.split('.'), bare = !a || a.constructor !== Object;
  return fill(document.createElementNS('http://www.w3.org/' + space, tag), {class: cls.join(' ') || null, ...bare ? {} : a}, bare ? [a, kids] : kids);
};
const h = make('1999/xhtml'), s = make('2000/svg');
const path = (cls, d, a) => s('path', {class: cls, d, ...a}), rect = (cls, x, y, width, height) => s('rect', {class: cls, x, y, width, height});
const text = (x, y, t, anchor, cls) => s('text', {x, y, class: cls, 'text-anchor': anchor}, String(t));
const svg = (w, hgt, label, ...kids) => s('svg', {width: w, height: hgt, viewBox: `0 0 ${w} ${hgt}`, role: label && 'img', 'aria-label': label, 'aria-hidden': label ? null : 'true'}, kids);
const button = (label, onclick, a) => h('button', {type: 'button', class: 'btn', onclick, ...a}, label);
const seg = (label, list, now, pick) => h('span.seg', {role: 'group', 'aria-label': label}, list.map(([v, t]) => button(t, () => pick(v), {'aria-pressed': String(v === now)})));
const keepFocus = (box, fn) => { const q = 'button,input', i = $$(q, box).indexOf(document.activeElement); fn(); if (i >= 0 && $$(q, box)[i]) $$(q, box)[i].focus(); };
const {floor, ceil, round, abs, max: Max, min: Min} = Math, clamp = (x, a, b) => x < a ? a : x > b ? b : x, sum = a => a.reduce((x, y) => x + (y || 0), 0), range = n => [...Array(n).keys()], px = x => +x.toFixed(1);
const median = a => { a = a.filter(x => x > 0).sort((x, y) => x - y); return a[a.length >> 1]; };

// ---- formats
const MINUS = '\u2212', NB = '\u00a0';
const fix = (x, d) => (x < 0 && +x.toFixed(d) ? MINUS : '') + abs(x).toFixed(d);
const signed = (x, d) => (+x.toFixed(d) > 0 ? '+' : '') + fix(x, d);
const pc = x => x == null ? '–' : fix(x, abs(x) >= 9.95 ? 0 : 1);
const cvText = x => pc(x) + (x == null || x >= 9.95 ? '\u2008\u2007' : ''); // points stand in a line
const UNITS = {time: {ns: 1e-3, us: 1, ms: 1e3, s: 1e6}, bytes: {B: 1, KB: 1e3, MB: 1e6, GB: 1e9}, count: {'': 1}}, UNIT = new Proxy(UNITS, {get: (t, d) => t[d] || {[d]: 1}}), shown = u => u === 'us' ? 'µs' : u;
const autoUnit = (dim, x) => (x = abs(x), dim === 'count' ? '' : dim === 'time' ? x >= 2e6 ? 's' : x >= 1e3 ? 'ms' : x >= 1 || !x ? 'us' : 'ns' : dim !== 'bytes' ? dim : x >= 1e9 ? 'GB' : x >= 1e6 ? 'MB' : x >= 1e3 ? 'KB' : 'B');
function quantity(x, dim) { // in its own unit, for sentences
  if (x == null) return '–';
  if (dim === 'count') return String(+x.toPrecision(4));
  const u = autoUnit(dim, x), v = x / UNIT[dim][u], a = abs(v);
  return fix(v, u === 'B' ? 0 : a >= 100 ? 1 : a >= 10 ? 2 : 3) + NB + shown(u);
}
function ticks(lo, hi, n) {
  const raw = (hi - lo) / n, m = 10 ** floor(Math.log10(raw)), q = raw / m, st = (q > 5 ? 10 : q > 2 ? 5 : q > 1 ? 2 : 1) * m, out = [];
  for (let v = ceil(lo / st - 1e-9) * st; v <= hi + st * 1e-9; v += st) out.push(+v.toPrecision(12));
  return out;
}
const tickText = v => String(+v.toPrecision(6)).replace('-', MINUS);
const names = {name: ['op', 'ops'], type: ['type', 'types'], class: ['class', 'classes'], scope: ['scope', 'scopes']};
const count = (n, k, other) => n.toLocaleString('en').replace(/,/g, '\u202f') + (other || ' ') + names[k][+(n !== 1)];

// ---- a scale of factors, stretched around 1: asinh(ln v / c), so that one axis shows 1 % and 50 times. c: the typical spread
function factorScale(lo, hi, c, width, zero) {
  lo = clamp(lo, 1 / 64, Math.exp(-2.5 * c)); hi = clamp(hi, Math.exp(2.5 * c), 64);
  const f = v => Math.asinh(Math.log(v) / c), a = f(lo) - .1, b = f(hi) + .1, z = zero ? 14 : 0;
  const x = v => v <= 0 ? 4 : clamp(z + (f(v) - a) / (b - a) * (width - z), z, width);
  const axis = (g, y, one) => {
    const taken = [];
    if (z) g.append(text(4, y, '0', 'middle'));
    [[1, one], [2, '2×'], [.5, '½'], [1.1, '+10%'], [.9, '−10%'], [8, '8×'], [32, '32×'], [.125, '⅛'], [4, '4×'], [.25, '¼'], [16, '16×'], [1.02, '+2%'], [.98, '−2%'], [1.3, '+30%'], [.7, '−30%'], [64, '64×'], [1.05, '+5%'], [.95, '−5%'], [1.01, '+1%'], [.99, '−1%'], [1.005, '+0.5%'], [.995, '−0.5%']].forEach(([v, t]) => {
      const at = x(v), half = t.length * 2.9 + 5;
      if (v < lo * .97 || v > hi * 1.03 || at - half < (z ? 8 : -12) || at + half > width + 12 || taken.some(q => abs(q[0] - at) < q[1] + half)) return;
      taken.push([at, half]); g.append(text(at, y, t, 'middle', v === 1 ? 'k' : null));
    });
  };
  return {x, y: v => v <= 0 ? 21 : 12 - clamp(f(v) / Max(b, -a), -1, 1) * 9, axis, lo, hi, zero: z, width};
}
// Dots without overlap, one path for all. Bins of a dot's width; each bin draws at least one dot, so no value is ever hidden.
function swarm(xs, y, half, step = 3.2) {
  const n = new Map(), levels = Max(1, floor(half / step) * 2 + 1);
  let d = '';
  for (const x of xs) {
    const b = round(x / step), k = n.get(b) || 0;
    n.set(b, k + 1);
    if (k < levels) d += `M${px(x)} ${px(y + (k % 2 ? 1 : -1) * ceil(k / 2) * step)}h0`;
  }
  return d;
}

// ---- names: scope and arguments dimmed, the last part strong. The program's short names (brief) keep names apart; what is
// still too long loses the middle of its parts.
const VOID = /^(void|int|float|bool) /;
function nameParts(n) {
  const cut = n.replace(/\(anonymous namespace\)/g, x => x.replace(/./g, '_')).search(/[<(\[]/), head = cut > 0 ? n.slice(0, cut) : n;
  const i = Max(head.lastIndexOf('/') + 1, head.lastIndexOf('::') + 2 > 1 ? head.lastIndexOf('::') + 2 : 0), scope = i < head.length ? head.slice(0, i) : '';
  return {scope: scope.replace(VOID, ''), stem: head.slice(scope.length).replace(scope ? /^$/ : VOID, ''), tail: cut > 0 ? n.slice(cut) : ''};
}
const middle = (t, n) => t.length <= n ? t : n < 3 ? '' : t.slice(0, ceil((n - 1) / 2)) + '…' + t.slice(t.length - floor((n - 1) / 2));
const shortener = (all, brief) => (i, room) => {
  const b = brief && brief[i], name = b && b.length <= room && all[i].length > room ? b : all[i], {scope, stem, tail} = nameParts(name);
  if (name.length <= room) return {scope, stem, tail};
  const last = Min(tail.length, round(room * .38)), own = middle(stem, room - last), first = middle(scope, room - own.length - last);
  return {scope: first, stem: own, tail: middle(tail, room - own.length - first.length)};
};
const nameNode = p => h('span.nm', p.scope && h('span.sc', p.scope), h('span.st', p.stem), p.tail && h('span.tl', p.tail));
let em; // names are cut by count of characters, not by trial
function roomFor(box, w) {
  const b = getComputedStyle(box);
  if (!em) { const c = document.createElement('canvas').getContext('2d'); c.font = '100px ' + b.fontFamily; em = c.measureText('v/tower_0/gradients/Conv2DBackpropFilter').width / 4000 * 1.09; }
  return Max(14, floor(w / em / (printing ? 10.5 : parseFloat(b.fontSize))));
}

// ---- commands that give the same numbers: quoted for a POSIX shell, PCRE2 and SQL
const shell = a => /^[\w@%+=:,.\/-]+$/.test(a) ? a : "'" + a.replace(/'/g, "'\\''") + "'";
const shell2 = a => a.includes('!') ? shell(a) : '"' + a.replace(/[\\"$`]/g, '\\$&') + '"';
const pattern = n => n.split(/(?:\\x[0-9a-f]{2})+/).map(x => x.replace(/[\\^$.|?*+()[\]{}#]/g, '\\$&')).join('.+'), // bytes shown as \xNN: any
  sqlText = n => "'" + n.replace(/'/g, "''") + "'";
function command(title, line) {
  const pre = h('pre', {tabindex: 0}, line), b = button('copy', async () => {
    try { await navigator.clipboard.writeText(line); b.textContent = 'copied'; } catch (e) { getSelection().selectAllChildren(pre); b.textContent = 'selected'; }
    setTimeout(() => { b.textContent = 'copy'; }, 1500);
  });
  return h('div.cmd', h('span', title), pre, b);
}

// ---- filter: words that must all be in the name, or a regular expression
function matcher(S) {
  const box = $('#filter');
  let test = () => true, bad = false;
  if (S.text && S.regex) try { const re = new RegExp(S.text, 'im'); test = x => re.test(x); } catch (e) { bad = true; }
  else if (S.text) { const w = S.text.toLowerCase().split(/\s+/); test = x => { x = x.toLowerCase(); return w.every(y => x.includes(y)); }; }
  if (box) box.setAttribute('aria-invalid', bad);
  return test;
}
let wait;
const filterBox = (S, draw, hint) => [h('label', {for: 'filter', class: 'vh'}, hint), h('input', {id: 'filter', type: 'search', placeholder: hint, value: S.text, spellcheck: 'false', autocomplete: 'off', oninput: e => { S.text = e.target.value; clearTimeout(wait); wait = setTimeout(draw, 60); }}), button('.*', e => { S.regex = !S.regex; e.target.setAttribute('aria-pressed', S.regex); draw(); }, {'aria-pressed': String(S.regex), title: 'take the filter for a regular expression'})];

// ---- table with plots in its cells. Rows outside of the window are two spacers: of 5 000 rows about 60 are in the document.
const cell = (cls, ...kids) => h('td', {role: 'cell', class: cls}, kids);
let lens, printing = false;
function drawLens(box, o) {
  const body = h('tbody'), head = h('tr', {role: 'row'}, o.cols.map(c => {
    const k = c.sort || c.k, on = o.S.sort === k && !c.sort;
    return h('th', {scope: 'col', role: 'columnheader', class: c.cls, 'aria-sort': on ? o.S.dir < 0 ? 'descending' : 'ascending' : null, title: c.help},
      c.label && h('button', {type: 'button', onclick: () => { if (o.S.sort === k) o.S.dir = -o.S.dir; else { o.S.sort = k; o.S.dir = k === 'op' ? 1 : -1; } o.draw(); }}, on && (o.S.dir < 0 ? '↓ ' : '↑ '), c.label), !c.label && h('span.vh', 'bar'), c.axis ? c.axis(svg(c.w - 14, 13)) : h('span.u', c.unit || NB));
  }));
  const space = n => n > 0 && h('tr.space', {'aria-hidden': 'true'}, h('td', {colspan: o.cols.length, style: `height:${n * o.rowH}px`}));
  const row = (i, k) => h('tr', {role: 'row', tabindex: o.at(i) || (!k && !o.any) ? 0 : -1, 'aria-rowindex': k + 2, 'aria-selected': String(o.at(i)), 'data-i': i, onclick: () => o.pick(i), onkeydown: e => {
    if (e.key === 'Enter' || e.key === ' ') o.pick(i); else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') lens.move(e.key === 'ArrowDown' ? 1 : -1, k); else return;
    e.preventDefault();
  }}, o.cols.map(c => c.cell(i, c)));
  let from = -1, to = -1;
  lens = {rows: o.rows, paint(force) {
    let a = 0, b = o.rows.length;
    if (b > 120 && !printing) { const y = body.getBoundingClientRect().top; a = clamp(floor((-y - 400) / o.rowH / 8) * 8, 0, b); b = clamp(ceil((innerHeight - y + 400) / o.rowH / 8) * 8, 0, b); }
    if (!force && a === from && b === to) return;
    from = a; to = b;
    body.replaceChildren(...[space(a), ...range(Max(b - a, 0)).map(k => row(o.rows[a + k], a + k)), space(o.rows.length - b), ...o.tail].filter(Boolean));
  }, move(by, k) {
    if (k == null) k = o.rows.findIndex(o.at);
    const to = clamp(k + by, 0, o.rows.length - 1), find = () => $(`tr[data-i="${o.rows[to]}"]`, body);
    if ($('#dock').hidden === false) o.pick(o.rows[to], true);
    if (!find()) { scrollBy({top: by * o.rowH * 9, behavior: 'instant'}); lens.paint(); }
    const tr = find(), q = tr && tr.getBoundingClientRect(), low = innerHeight - $('#dock').offsetHeight - 4;
    if (!tr) return;
    tr.focus({preventScroll: true});
    if (q.top < 92 || q.bottom > low) scrollBy({top: q.top < 92 ? q.top - 92 : q.bottom - low, behavior: 'instant'});
  }};
  keepFocus(box, () => box.replaceChildren(h('table', {class: 'lens' + (o.two ? ' two' : ''), role: 'table', 'aria-rowcount': o.rows.length + 1, 'aria-label': o.title}, h('colgroup', o.cols.map(c => h('col', {style: `width:${c.w}px`}))), h('thead', head), body)));
  lens.paint(true);
}

// ---- detail, docked at the bottom so that the table stays in view
function showDock(name, meta, close, cols) {
  const box = $('#dock'), p = nameParts(name), at = p.scope ? name.indexOf(p.stem, name.indexOf(p.scope) + p.scope.length) : 0;
  box.hidden = false;
  box.setAttribute('aria-label', 'Details of ' + name);
  box.replaceChildren(h('div.wrap', h('div.dh', h('h3', h('span.sc', name.slice(0, at)), name.slice(at)), h('div.act', button('↑', () => lens.move(-1), {'aria-label': 'previous row'}), button('↓', () => lens.move(1), {'aria-label': 'next row'}), button('Close', close))), h('p.meta', meta), h('div.cols', cols)));
  document.body.style.paddingBottom = box.offsetHeight + 'px';
}
const hideDock = () => { $('#dock').hidden = true; document.body.style.paddingBottom = ''; };
const numbers = rows => h('dl.nums', rows.filter(Boolean).map(r => [h('dt', r[0]), h('dd', r[1]), h('dd.f', {title: r[2]}, r[2])]));
const noteList = list => list.length > 0 && h('ul.notes', list.map(x => h('li', '·\u2002' + x)));

// ---- page: theme, unit, sections, print
function page(S, dim, mean, draw) {
  const b = $('#theme'), us = $('#unit'), dark = $$('style').flatMap(e => [...e.sheet.cssRules]).find(r => r.media && r.media.mediaText.includes('dark')), media = dark.media.mediaText, modes = [['auto', media], ['light', 'not all'], ['dark', 'screen']];
  let t = 0, w = innerWidth, f = 0;
  b.onclick = () => { t = (t + 1) % 3; b.textContent = 'theme: ' + modes[t][0]; dark.media.mediaText = modes[t][1]; };
  for (const [v, x] of [['auto', dim === 'count' ? 'auto' : `auto (${shown(autoUnit(dim, mean))})`], ...Object.keys(UNIT[dim]).filter(k => k).map(k => [k, shown(k)]), ['pct', '% of step']]) us.append(h('option', {value: v}, x));
  us.onchange = () => { S.unit = us.value; draw(); };
  const soon = fn => { cancelAnimationFrame(f); f = requestAnimationFrame(fn); };
  addEventListener('resize', () => { if (innerWidth !== w) { w = innerWidth; soon(draw); } });
  addEventListener('scroll', () => soon(() => lens.paint()), {passive: true});
  addEventListener('keydown', e => { if (e.key === '/' && !/INPUT|SELECT/.test(document.activeElement.tagName)) { $('#filter').focus(); e.preventDefault(); } else if (e.key === 'Escape' && !$('#dock').hidden) $('#dock .act').lastChild.click(); });
  const pr = on => { printing = on; document.body.classList.toggle('pr', on); if (lens.rows.length > 400) S.all = false; draw(); };
  addEventListener('beforeprint', () => pr(true)); addEventListener('afterprint', () => pr(false));
}
const goTo = id => $(id).scrollIntoView();
const remember = name => { try { history.replaceState(null, '', name == null ? location.pathname + location.search : '#op=' + encodeURIComponent(name)); } catch (e) { /* file: in some browsers */ } };
const remembered = () => { const m = /^#op=(.*)$/.exec(location.hash); return m ? decodeURIComponent(m[1]) : null; };
