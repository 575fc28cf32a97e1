// ---- stepstat report. Every statistic was computed by the program; the page only adds integers and draws.
const D = JSON.parse($('#data').textContent), N = D.rows.name, T = D.total, dim = D.dimension, runs = D.runs, flat = [];
// What the first sentence gives: step time where it decides, else the time of all ops. The mean of a run is of that.
const WAIT = !!D.waitfirst && T.wall != null, M = WAIT ? {mean: T.wall, low: T.walllow, high: T.wallhigh, cv: T.wallcv} : T, SD = (M.cv || 0) / 100 * M.mean, meanOf = r => WAIT ? r.wallmean : r.mean, wallname = D.wallname;
let keptSteps = 0;
runs.forEach((r, run) => r.step.forEach((n, i) => { const wall = r.wall && r.wall[i], total = r.total[i]; flat.push({run, i, n, left: !!r.left[i], k: r.left[i] ? null : keptSteps++, total, wall, v: WAIT && wall != null ? wall : total}); }));
// A field that is the same in all rows stands alone.
for (const k in D.rows) {
  const g = D.rows[k];
  if (g.noun) names[k] = [g.noun, g.nouns];
  for (const f in g) if (!Array.isArray(g[f])) g[f] = Array(g.op.length).fill(g[f]);
}
const kept = keptSteps, one = kept === 1, many = runs.length > 1, spread = runs.some(r => r.step.length > 1), TOP = 24;
const S = {kind: 'name', stack: null, text: '', regex: false, sort: 'mean', dir: -1, unit: 'auto', dots: 'value', all: false, pin: null, hover: null, rank: null, rankpin: null, op: null, sel: null, scope: null, log: null};
const KINDS = Object.keys(names).filter(k => D.rows[k] && D.rows[k].op.length), cut = {}, cache = {}, G = () => D.rows[S.kind];
const short = (k, i, room) => (cut[k] = cut[k] || shortener(D.rows[k].op, D.rows[k].short))(i, room);

// ---- values: series are integers of D.scale base units (us, bytes); null: the op did not run in that step
D.type = D.type || [];
D.class = D.class || [];
const kinds = i => [D.type[N.type[i]], D.class[N.class[i]]].filter(Boolean);
function members(k, g) {
  const n = D.rows[k].op[g];
  return range(N.op.length).filter(k === 'class' ? i => D.class[N.class[i]] === n : k === 'type' ? i => D.type[N.type[i]] === n : i => N.op[i] === n || N.op[i].startsWith(n + '/'));
}
function series(k, g) {
  if (k === 'name') return D.series[g];
  const key = k + g;
  if (!(key in cache)) { const m = members(k, g); cache[key] = D.groupseries && D.groupseries[k] ? D.groupseries[k][g] : m.some(i => !D.series[i]) ? null : flat.map((f, t) => m.reduce((a, i) => D.series[i][t] == null ? a : (a || 0) + D.series[i][t], null)); }
  return cache[key];
}
const at = (q, t) => (q[t] || 0) * D.scale;
// What dots refer to: the median, of the steps in which it ran where it did not run in all.
const ref = i => { const g = G(), q = series(S.kind, i); return g.ran[i] < g.steps[i] || !g.median[i] ? q ? (median(q.filter((x, t) => !flat[t].left)) || 0) * D.scale || 1 : g.mean[i] : g.median[i]; };
const unit = () => S.unit === 'auto' ? autoUnit(dim, T.mean) : S.unit, factor = () => S.unit === 'pct' ? T.mean / 100 : UNIT[dim][unit()], unitName = () => S.unit === 'pct' ? '% of step' : shown(unit());
const decimals = () => S.unit === 'pct' || dim === 'count' ? 2 : dim === 'bytes' ? 3 : clamp(round(Math.log10(factor() / D.scale)) + (kept > 9), 0, 3);
const val = x => x == null ? '–' : fix(x / factor(), decimals()), big = x => fix(x / factor(), abs(x / factor()) >= 100 ? 1 : 2) + NB + unitName(), diff = x => (x > 0 ? '+' : '') + big(x);
const secondUnit = D.second ? autoUnit('bytes', Max(...N.second)) : '', bytes = x => x == null ? '–' : fix(x / UNIT.bytes[secondUnit], secondUnit === 'B' ? 0 : 2);
const noteOf = m => D.notes.filter(n => n.mark && m.includes(n.mark)).map(n => n.text).join('; '), atFloor = (g, i) => g.floor && g.floor[i] != null && g.cv[i] != null && g.cv[i] < g.floor[i] * 1.5;

// ---- steps
let stack = [];
function chooseStack() {
  const ok = KINDS.filter(k => k !== 'scope' && D.rows[k].op.length > 1);
  S.stack = S.stack || ['class', 'type', 'name'].find(k => ok.includes(k) && Max(...D.rows[k].share) < 75) || ok.pop() || 'name';
  const g = D.rows[S.stack], score = i => Max(g.share[i] || 0, g.jitter[i] || 0);
  stack = D.overlap ? [] : range(g.op.length).filter(i => series(S.stack, i)).sort((a, b) => score(b) - score(a)).slice(0, 5).sort((a, b) => g.mean[b] - g.mean[a]);
}
const layers = t => { const v = stack.map(g => at(series(S.stack, g), t)); return [...v, flat[t].total - sum(v)]; };
// What a step has above the median: parts of devices where there are any, else ops.
const parts = (WAIT && D.parts || []).flatMap(d => d.part.filter(p => p.of !== 'compute' && !(p.name === 'idle' && d.part.some(q => q.of === 'idle'))));
const causes = t => (parts[0] ? parts.map(p => ({name: p.name, d: p.value[t] - p.usual})) : range(N.op.length).filter(i => D.series[i]).map(i => ({i, d: at(D.series[i], t) - N.median[i]}))).sort((a, b) => b.d - a.d).slice(0, 4);
let longest = null;
flat.forEach((f, t) => { if (!f.left && (longest == null || f.v > flat[longest].v)) longest = t; });
function drawSteps() {
  const box = $('#stepsplot'), W = Max(box.clientWidth, 300);
  chooseStack();
  drawSteps.mark = () => {};
  if (one) return drawLegend(); // the program's plot of the one step stays
  const lines = ceil(runs.length / Max(1, floor(W / 150))), per = ceil(runs.length / lines), H = many ? lines > 2 ? 120 : lines > 1 ? 160 : 250 : W < 560 ? 210 : 310;
  const top = many ? 48 : 44, L = 40, gap = 16, pw = (W - L - gap * (per - 1)) / per, most = Max(...flat.map(f => Max(f.total, f.v)), many ? 0 : M.high || 0), max = clamp(Max(0, ...flat.map(f => f.wall || 0)), most, most * 1.3) * 1.02 || 1;
  const y = v => top + (H - top - 22) * (1 - v / max), y0 = y(0), root = svg(W, H * lines, `Time of each step, stacked by ${names[S.stack][0]}`), hits = [], hover = path('hit'), pin = path('pin');
  root.append(hover, pin, text(L - 6, 10, unitName(), 'end'));
  let base = 0;
  runs.forEach((r, k) => {
    const X = L + k % per * (pw + gap), oy = floor(k / per) * H, g = s('g', {transform: `translate(0 ${oy})`}), n = r.step.length;
    ticks(0, max / factor(), 4).forEach(v => { const yy = round(y(v * factor())) + .5; g.append(path('gridl', `M${X} ${yy}h${pw}`), k % per ? '' : text(L - 6, yy + 4, tickText(v), 'end')); });
    // A column is a step; where steps are finer than pixels, the longest step of its pixels, so that no spike is lost.
    const cols = Min(n, floor(pw)), cw = pw / cols, width = Min(cw - (cw > 14 ? 3 : cw > 5 ? 1 : 0), 54), x = c => X + c * cw + (cw - width) / 2;
    const pick = range(cols).map(c => { let b = floor(c * n / cols); for (let i = b + 1; i < floor((c + 1) * n / cols); i++) if (flat[base + i].v > flat[base + b].v) b = i; return base + b; });
    const d = Array(12).fill(''), b0 = base;
    let wall = '';
    if (M.low != null && !many) g.append(rect('band', X, y(M.high), pw, Max(y(Max(M.low, 0)) - y(M.high), 1)));
    pick.forEach((t, c) => {
      let acc = 0;
      layers(t).forEach((v, l) => { const a = y(acc), b = y(acc += v); if (a - b > .05) d[(l < stack.length ? l : 5) + (flat[t].left ? 6 : 0)] += `M${px(x(c))} ${px(b)}h${px(width)}v${px(a - b)}h${px(-width)}z`; });
      const w = flat[t].wall;
      if (w > max) g.append(path('up', `M${x(c) + width / 2 - 4} ${top + 7}h8l-4 -7z`), text(x(c) + width / 2 + 7, top + 8, big(w)));
      else if (w && width > 2) wall += `M${px(x(c))} ${round(y(w))}h${px(width)}`;
      hits.push({t, a: b0 + floor(c * n / cols), b: b0 + floor((c + 1) * n / cols), x: X + c * cw, w: cw, oy});
    });
    d.forEach((p, l) => p && g.append(path(`l${l % 6}${l > 5 ? ' leftout' : ''}`, p)));
    if (sum(r.left)) { const c0 = floor(r.left.indexOf(1) * cols / n), c1 = ceil((r.left.lastIndexOf(1) + 1) * cols / n); g.append(rect('hatch', X + c0 * cw, top - 4, (c1 - c0) * cw, y0 - top + 4), text(X + c0 * cw + 2, top - 8, 'left out')); }
    if (wall) g.append(path('wallt u', wall), path('wallt', wall));
    if (cw >= 34) pick.forEach((t, c) => { const w = flat[t].wall; if (w && w <= max) g.append(text(x(c) + width / 2, y(w) - 5, tickText(round(w / factor() * 10) / 10), 'middle', 'note b h')); });
    g.append(path('axis', `M${X} ${round(y0) + .5}h${pw}`), path('mean', `M${X + r.left.indexOf(0) * cw} ${round(y(meanOf(r))) + .5}H${X + pw}`));
    pick.forEach((t, c) => { if (c % Max(1, ceil(30 / cw)) === 0) g.append(text(x(c) + width / 2, y0 + 14, flat[t].n, 'middle')); });
    if (many) g.append(text(X, 10, r.name + '  ' + big(meanOf(r)), null, 'runname'));
    // Steps that stand out are named where they stand, with the op that made them long.
    const own = D.usual, taken = [], out = new Set(r.out), tall = range(n).filter(i => !r.left[i] && (out.has(i) || b0 + i === longest || !many && flat[b0 + i].v - own > Max(SD * .8, own * .08)));
    tall.sort((a, b) => flat[b0 + b].v - flat[b0 + a].v).forEach((i, rank) => {
      const c = pick.indexOf(b0 + i), mid = x(c) + width / 2, v = flat[b0 + i].v, yy = y(Min(Max(v, r.total[i]), max));
      if (c < 0) return;
      if (out.has(i)) g.append(path('o', `M${mid - 4.5} ${yy - 11}h9l-4.5 7z`));
      if (rank > 3 || many && pw < 260) { if (out.has(i)) g.append(text(mid + 7, yy - 4, r.step[i], null, 'k')); return; }
      const [who] = causes(b0 + i), p = who && who.d > (v - own) / 5 && (who.name ? {scope: '', stem: who.name, tail: ''} : short('name', who.i, 40)), l1 = `step ${r.step[i]}: ${diff(v - own)}`, l2 = p ? `${p.scope + p.stem + p.tail} ${diff(who.d)}` : 'no single cause', half = Max(l1.length, l2 ? l2.length : 0) * 2.9 + 4, xx = clamp(mid, X + half, X + pw - half), ty = Max(yy - (out.has(i) ? 16 : 6) - (flat[b0 + i].wall >= r.total[i] ? 14 : 0), many ? 33 : 20);
      if (taken.some(q => abs(q - xx) < half * 2)) return;
      taken.push(xx);
      g.append(text(xx, ty - 12, l1, 'middle', 'note b h'), l2 ? text(xx, ty, l2, 'middle', 'note h') : '');
    });
    root.append(g);
    base += n;
  });
  const where = t => t != null && hits.find(q => t >= q.a && t < q.b);
  drawSteps.mark = () => {
    const a = where(hand()), b = where(S.pin);
    hover.setAttribute('d', a ? `M${a.x} ${a.oy + top - 4}h${a.w}V${a.oy + y0}h${-a.w}z` : '');
    pin.setAttribute('d', b ? `M${b.x + b.w / 2 - 4} ${b.oy + y0 + 21}h8l-4 -5z` : '');
  };
  const find = e => { const q = root.getBoundingClientRect(), x = e.clientX - q.left, yy = e.clientY - q.top, z = hits.find(v => x >= v.x && x < v.x + v.w && yy >= v.oy && yy < v.oy + H); return z ? z.t : null; };
  root.onpointermove = e => hoverStep(find(e)); root.onpointerleave = () => hoverStep(null); root.onclick = e => pinStep(find(e));
  box.replaceChildren(root);
  drawSteps.mark(); drawLegend();
}
function drawLegend() {
  const t = hand(), f = t == null ? null : flat[t], g = D.rows[S.stack], v = f && layers(t), r = f && runs[f.run], rest = D.overlap ? 0 : g.op.length - stack.length;
  const line = (sw, name, mean, now, cls) => h('tr', {class: cls}, h('td.l', {style: 'width:18px'}, sw != null && h('span', {class: 'sw ' + (sw < 0 ? 'line' : 'f' + sw)})), h('td.l', {title: name.textContent}, name), h('td', val(f ? now : mean)), h('td', sw < 0 && !f ? '' : f ? now == null ? '' : signed((now - mean) / factor(), decimals()) : fix(mean / T.mean * 100, 1) + NB + '%'));
  const rows = stack.map((i, l) => line(l, nameNode(short(S.stack, i, 24)), g.mean[i], v && v[l]));
  if (rest) rows.push(line(5, count(rest, S.stack, ' other '), T.mean - sum(stack.map(i => g.mean[i])), v && v[stack.length]));
  const list = [...rows.reverse(), line(null, 'all ops', T.mean, f && f.total, 't')], wall = T.wall != null && line(-1, wallname, T.wall, f && f.wall, WAIT ? 'k' : '');
  if (wall) list.splice(WAIT ? 0 : list.length, 0, wall);
  $('#legend').replaceChildren(h('h3', f ? `${stepName(t)}: ${big(f.v)}` : one ? 'The step' : `Mean over ${kept} steps` + (many ? ` of ${runs.length} runs` : '')),
    h('p', {'aria-live': 'polite'}, f ? (f.left ? fate(f) + '; ' : '') + `${diff(f.v - D.usual)} to the median step` + (r.busy && f.wall ? `, busy ${pc(r.busy[f.i] / f.wall * 100)} %` : '') : one ? 'no spread, no interval' : M.low == null ? 'no interval: too few independent steps' : `${D.confidence} % interval ${val(M.low)} to ${val(M.high)} ${unitName()}`),
    h('table', h('tr', h('td'), h('td.l.dim', 'by ', names[S.stack][0]), h('td.dim', f ? 'this step, ' : 'mean, ', unitName()), h('td.dim', f ? 'to its mean' : 'share')), list));
  if (f) { const c = causes(t).filter(q => q.d > T.mean * .002); if (c.length) $('#legend').append(h('div.why', h('p', 'above the median'), h('ul', c.map(q => h('li', q.name ? h('span', q.name) : h('span', {title: N.op[q.i]}, nameNode(short('name', q.i, 38))), h('span', diff(q.d))))))); }
  else if (!one) $('#legend').append(h('p.dim.noprint', 'Point at a step, or use ← →. Enter or a click keeps it.'));
}
const hand = () => S.hover == null ? S.pin : S.hover, stepName = t => `${many ? runs[flat[t].run].name + ', ' : ''}step ${flat[t].n}`, fate = f => 'left out: ' + D.fates[runs[f.run].fate[f.i]];
function hoverStep(t) { if (t !== S.hover) { S.hover = t; show(); } }
function pinStep(t) { S.pin = S.pin === t ? null : t; S.hover = null; show(); }
function show() { drawSteps.mark(); drawLegend(); markDots(); link(); }

// ---- plots that the program drew: the step, rank or op in hand is marked in all of them, its numbers stand beside them
const LINKED = '#excess,.parts,#rankmap,#scatterplot', K = D.ranks, boxes = $$(LINKED), pct = (x, d = 1) => x == null ? '–' : fix(x, d) + NB + '%', change = x => x == null ? '–' : (x > 0 ? '+' : '') + quantity(x, 'time');
boxes.forEach(b => {
  b.tabIndex = 0;
  b.setAttribute('role', 'group');
  b.setAttribute('aria-label', 'arrow keys');
  b.read = {rankmap: $('#rankread'), scatterplot: $('#dotread'), excess: h('p')}[b.id];
  if (!b.read) b.before(b.read = h('p.icread'));
  b.read.setAttribute('aria-live', 'polite');
});
const reads = {
  rankmap() {
    const f = flat[hand()], at = q => f && K.excess ? K.excess[q][f.k] : null, most = f && K.excess ? range(K.name.length).reduce((a, q) => at(q) > at(a) ? q : a) : null, q = S.rank == null ? most : S.rank;
    return q == null ? ['Point at a rank or a step.'] : [h('b', (/^\d/.test(K.name[q]) ? 'rank ' : '') + K.name[q]), K.group[q], f && `${stepName(hand())}: ${change(at(q))} over the median rank${K.grouped ? ' of its group' : ''}` + (q === most ? ', the slowest' : ''), `on average ${change(K.mean[q])}`, `slowest in ${K.slowest[q]} of ${K.steps[q]} steps`, K.culprit[q] && 'slow in its own work'];
  },
  scatterplot() { const i = S.op; return i == null ? ['Point at a dot.'] : [h('b', N.op[i]), `${big(N.mean[i])} per step`, `share ${pct(N.share[i])}`, `CV ${pct(N.cv[i])}`, `jitter ${pct(N.jitter[i])}`]; },
  parts(b) { const t = hand(), p = D.parts[b.dataset.device], top = p.part.filter(x => x.of === 'window'), of = x => t == null ? x.mean : x.value[t], whole = sum(top.map(of)); return [h('b', t == null ? 'Mean' : stepName(t)), ...top.map(x => `${x.name} ${quantity(of(x), 'time')} (${pct(of(x) / whole * 100)})`)]; }
};
function link() {
  const now = {t: hand(), r: S.rank, i: S.op};
  for (const b of boxes) {
    for (const e of $$('.hand', b)) e.classList.remove('hand');
    for (const k in now) {
      const v = now[k], all = v == null ? [] : $$(`[data-${k}]`, b), gap = e => abs(e.dataset[k] - v), near = k === 't' && Min(...all.map(gap)); // of steps finer than pixels the next one
      for (const e of all) if (gap(e) === +near) e.classList.add('hand');
    }
    const get = reads[b.id] || b.matches('.parts') && reads.parts;
    if (get) b.read.replaceChildren(...get(b).filter(Boolean).map(x => h('span', x)));
  }
  for (const tr of $$('#ranks tr[data-r]')) tr.setAttribute('aria-selected', +tr.dataset.r === S.rank);
}
const number = x => x == null ? null : +x;
function target(e) { // what an event is about; in the map of ranks a row and, by the place, a step
  const x = e.target.closest('[data-t],[data-r],[data-i]'), d = x && x.closest(LINKED + ',#ranks') ? {...x.dataset} : {};
  const c = d.r && $$('#rankmap [data-t]').find(c => { const q = c.getBoundingClientRect(); return e.clientX >= q.left && e.clientX < q.right; });
  return c && x.closest('#rankmap') ? {t: c.dataset.t, ...d} : d;
}
function point(d) {
  const r = d.r == null ? S.rankpin : +d.r, i = number(d.i), t = number(d.t);
  if (r !== S.rank || i !== S.op || t !== S.hover) { Object.assign(S, {rank: r, op: i, hover: t}); show(); }
}
function keep(d) {
  if (d.i != null) { goTo('#ops'); openOp(+d.i); }
  if (d.r != null) S.rankpin = S.rank = S.rankpin === +d.r ? null : +d.r;
  if (d.t != null) pinStep(+d.t); else show();
}
const main = $('main');
main.onpointermove = e => { if (!e.target.closest('#stepsplot')) point(target(e)); };
main.onclick = e => { const d = target(e); if (d.t || d.r || d.i) keep(d); };
main.onkeydown = e => {
  const b = e.target, key = e.key, side = {ArrowRight: 1, ArrowLeft: -1}[key], down = {ArrowDown: 1, ArrowUp: -1}[key], next = (now, d, n) => clamp((now == null ? d > 0 ? -1 : n : now) + d, 0, n - 1), enter = key === 'Enter' || key === ' ', dots = b.id === 'scatterplot', ranks = b.id === 'rankmap';
  if (b.id !== 'stepsplot' && !boxes.includes(b)) return;
  if (enter) keep(dots ? {i: S.op} : {t: S.hover, r: ranks ? S.rank : null});
  else if (side) point(dots ? {i: next(S.op, side, N.op.length)} : {t: next(hand(), side, flat.length), r: S.rank});
  else if (down && ranks) point({t: S.hover, r: next(S.rank, down, K.name.length)});
  else return;
  e.preventDefault();
};
addEventListener('keydown', e => { if (e.key === 'Escape' && $('#dock').hidden) { Object.assign(S, {rankpin: null, rank: null, op: null, pin: null, hover: null}); show(); } });
// Tables of ranks: rows are linked, heads sort.
$$('#ranks table').forEach(t => {
  const rows = [...$('tbody', t).rows], key = (tr, k) => { const x = tr.cells[k].textContent, n = parseFloat(x.replace(MINUS, '-')); return isNaN(n) ? x : n; };
  for (const tr of rows) { const r = K.name.indexOf(tr.cells[0].textContent); if (r >= 0) tr.dataset.r = r; }
  $$('th', t).forEach((th, k) => th.replaceChildren(h('button', {type: 'button', class: 'link', onclick: () => {
    const dir = th.ariaSort === 'descending' ? 1 : -1;
    $$('th', t).forEach(x => { x.ariaSort = null; });
    th.ariaSort = dir < 0 ? 'descending' : 'ascending';
    $('tbody', t).append(...rows.sort((a, b) => { const x = key(a, k), y = key(b, k); return (x < y ? -1 : x > y ? 1 : 0) * dir; }));
  }}, ...th.childNodes)));
});
// Letters of notes lead to their rows, one that is alone by its name.
$$('.alerts .mk').forEach(m => {
  const rows = range(N.op.length).filter(i => N.mark[i].includes(m.textContent));
  if (rows[0] != null) m.replaceWith(h('a', {href: '#ops', title: N.op[rows[0]], 'data-op': rows[0]}, rows[1] ? m.textContent : nameNode(short('name', rows[0], 44))), rows[1] ? '' : ':');
});

// ---- ops
let view = [], dots, hi, j0, j1;
function drawTable() {
  const box = $('#opstable'), W = Max(box.clientWidth, 300), g = G(), n = g.op.length, two = W < 700, test = matcher(S), v = S.sort === 'op' ? g.op : g[S.sort];
  view = range(n).filter(i => test(S.kind === 'name' ? [g.op[i], ...kinds(i)].join('\n') : g.op[i]));
  if (S.scope) view = view.filter(i => N.op[i] === S.scope || N.op[i].startsWith(S.scope + '/'));
  view.sort((a, b) => v[a] == null || v[b] == null ? (v[a] == null) - (v[b] == null) || a - b : (v[a] < v[b] ? -1 : v[a] > v[b] ? 1 : 0) * S.dir || a - b);
  const cols = columns(W, two), width = k => (cols.find(c => c.k === k) || {w: 14}).w - 14;
  // Scales over all rows, so that they stay when rows are filtered.
  const m = Max(...g.mean), j = g.jitter.map(x => x || 0);
  hi = clamp(Max(...g.high.map(x => x || 0)), m, m * 1.7); j0 = Min(...j, 0); j1 = Max(...j, 1);
  if (spread) {
    let lo = 1, top = 1, zero = false;
    const rows = range(n).filter(i => g.share[i] >= .1);
    rows.forEach(i => { const q = series(S.kind, i), r = ref(i); if (!q || !r) return; zero = zero || g.ran[i] < g.steps[i]; q.forEach((x, t) => { if (x > 0 && !flat[t].left) { const z = x * D.scale / r; lo = Min(lo, z); top = Max(top, z); } }); });
    dots = factorScale(lo, top, clamp((median(rows.map(i => g.robust[i] || g.cv[i])) || 5) / 50, .006, .5), width('strip'), zero);
  }
  let rows = view;
  if (!S.all && view.length > TOP + 6) rows = view.filter((i, k) => k < TOP || S.sort === 'mean' && S.dir < 0 && abs(g.jitter[i]) > 10);
  const inTop = new Set(rows), rest = view.filter(i => !inTop.has(i)), add = list => ({mean: sum(list.map(i => g.mean[i])), share: sum(list.map(i => g.share[i])), jitter: sum(list.map(i => g.jitter[i])), second: g.second && sum(list.map(i => g.second[i]))}), tail = [];
  if (S.kind !== 'scope') {
    if (rest.length && !D.overlap) tail.push(sumRow(cols, `[${count(rest.length, S.kind, ' other ')}]`, add(rest), 'sum'));
    if (view.length < n && view.length && !D.overlap) tail.push(sumRow(cols, count(view.length, S.kind) + ' together', add(view), 'sum'));
    if (D.notin != null && !two && S.kind === 'name') tail.push(sumRow(cols, '[not in ops]', {jitter: D.notin}, 'sum'));
    tail.push(sumRow(cols, 'all ops', {share: 100, jitter: spread ? T.jitter : null, ...T}, 'all'));
  }
  if (!view.length) tail.unshift(h('tr.sum', h('td.l', {colspan: cols.length}, 'No name, type or class matches. ', h('button.link', {type: 'button', onclick: () => { S.text = ''; S.scope = null; drawTools(); drawTable(); }}, 'Clear the filter'))));
  drawLens(box, {cols, rows, tail, S, two, rowH: two ? 46 : 24, draw: drawTable, pick: (i, keep) => select(S.kind, i, keep), any: S.sel, at: i => !!S.sel && S.sel.kind === S.kind && S.sel.i === i, title: `${count(view.length, S.kind)}: mean, spread, share and jitter share`});
  $('#more').replaceChildren(...rest.length || S.all && view.length > TOP + 6 ? [button(S.all ? `Show the largest ${TOP} only` : `Show all ${count(view.length, S.kind)}`, () => { S.all = !S.all; drawTable(); })] : []);
  $('#count').textContent = (S.scope ? `below ${S.scope}: ` : '') + (view.length < n ? view.length + ' of ' : '') + count(n, S.kind) + (S.kind === 'scope' ? ', each with what is below it' : '');
  $('#unscope').hidden = !S.scope;
  markDots();
}
function columns(W, two) {
  const g = G(), jitterOf = dim !== 'time' ? '' : D.notin != null ? '% of step time' : '% of op time', num = (k, w, label, text, unit, cls) => ({k, w, label, unit: unit || '%', cell: i => cell(cls, text(i))}), ranLess = N.ran.some((x, i) => x < N.steps[i]);
  const op = {k: 'op', label: names[S.kind][0], cls: 'l', cell: (i, c) => h('td', {role: 'rowheader', class: 'l name', title: g.op[i]}, nameNode(short(S.kind, i, roomFor($('#opstable'), (two ? W : c.w) - 14))))};
  const c = [op, num('mean', two ? 62 : 88, two ? 'mean' : dim === 'time' ? 'time/step' : D.measure, i => val(g.mean[i]), unitName()),
    {k: 'bar', sort: 'mean', w: two ? (W - 106) / 2.25 : W * .12, label: one ? NB : (two ? '' : 'mean, ') + D.confidence + ' % interval', cls: 'plot', axis: a => { ticks(0, hi / factor(), 3).forEach((v, i) => { const x = v * factor() / hi * a.width.baseVal.value; if (x < a.width.baseVal.value - 4) a.append(text(x, 10, tickText(v), i ? 'middle' : 'start')); }); return a; }, cell: (i, c) => cell('plot', barPlot(c.w - 14, g.mean[i], g.low[i], g.high[i]))},
    spread && {k: 'strip', sort: 'cv', w: two ? (W - 106) / 1.8 : W * .19, cls: 'plot', label: two ? 'each step' : S.dots === 'value' ? 'each step, against the median' : 'each step, in order', axis: a => { if (S.dots === 'value') dots.axis(a, 10, '1×'); else a.append(text(0, 10, many ? 'run 1' : 'step ' + flat[0].n), text(dots.width, 10, many ? 'run ' + runs.length : flat[flat.length - 1].n, 'end')); return a; }, cell: (i, c) => cell('plot', stripPlot(c.w - 14, i))},
    !two && num('share', 52, 'share', i => fix(g.share[i] || 0, 1), ''),
    spread && {...num('cv', two ? 44 : 60, many ? 'CV step' : 'CV'), cell: i => h('td', {role: 'cell', class: atFloor(g, i) ? 'dim' : '', title: atFloor(g, i) ? `the resolution of the recorded times alone makes ${pc(g.floor[i])} %` : null}, cvText(g.cv[i]), g.mark && g.mark[i] && h('span.mk', {title: noteOf(g.mark[i])}, g.mark[i]))},
    spread && !two && many && num('cvrun', 62, 'CV run', i => cvText(g.cvrun[i]), ''),
    spread && !many && W > 1120 && num('robust', 62, 'robust', i => { const r = g.robust[i], q = g.cv[i] / r; return r != null && (q > 2 || q < .5) ? cvText(r) : ''; }, '', 'dim'),
    spread && !two && T.jitter && num('jitter', 88, 'jitter', i => g.jitter[i] == null ? '–' : fix(g.jitter[i], 1), jitterOf),
    spread && !two && T.jitter && {k: 'jbar', w: W * .065, cls: 'plot', axis: a => { a.append(text(-j0 / (j1 - j0) * a.width.baseVal.value, 10, '0', 'middle')); return a; }, cell: (i, c) => cell('plot', jitterPlot(c.w - 14, g.jitter[i] || 0))},
    D.second && W > 860 && N.second.some(x => x) && num('second', 80, D.second, i => bytes(g.second[i]), secondUnit),
    ranLess && W > 960 && num('ran', 58, 'ran', i => g.ran[i] < g.steps[i] ? `${g.ran[i]}/${g.steps[i]}` : '', 'steps')].filter(Boolean);
  c.forEach(x => { x.w = round(x.w); x.help = D.help[x.k]; });
  op.w = Max(W - sum(c.slice(1).map(x => x.w)), 80);
  return c;
}
function sumRow(cols, label, v, cls) {
  const one = x => fix(x, 1), as = {mean: val, share: one, cv: cvText, cvrun: cvText, jitter: one, second: bytes};
  return h('tr', {class: cls, role: 'row'}, cols.map(c => cell((c.cls || '') + (c.k === 'op' ? ' name' : ''), c.k === 'op' ? label : v[c.k] != null && as[c.k] && as[c.k](v[c.k]))));
}
function barPlot(w, mean, low, high) {
  const a = svg(w, 24, null, rect('b', 0, 6, px(Max(mean / hi * w, .75)), 12));
  if (high > low) { const l = px(Max(low, 0) / hi * w), r = px(high / hi * w); a.append(path('w', `M${l} 12H${Min(r, w)}M${l} 9v6` + (r > w ? `M${w - 4} 8.5l4 3.5l-4 3.5` : `M${r} 9v6`))); }
  return a;
}
function jitterPlot(w, v) {
  const X = x => (x - j0) / (j1 - j0) * w, a = svg(w, 24, null, path('axis', `M${round(X(0)) + .5} 2v20`));
  if (v) a.append(rect(v < 0 ? 'jn' : 'jp', px(Min(X(v), X(0))), 6, px(Max(abs(X(v) - X(0)), .75)), 12));
  return a;
}
const orderX = t => { const gap = many ? 5 : 0; return (t + .5) / flat.length * (dots.width - gap * (runs.length - 1)) + flat[t].run * gap; };
function stripPlot(w, i) {
  const g = G(), q = series(S.kind, i), a = svg(w, 24), r = ref(i), out = new Set(g.out[i]), k = D.sketch && D.sketch[i];
  if (S.dots === 'value') {
    a.append(path('axis', `M${px(dots.x(1))} 1v22`));
    if (!q && k) { const X = k.slice(0, 7).map(v => px(dots.x(v * D.scale / r))); a.append(path('w q', `M${X[1]} 12H${X[5]}`), path('w q5', `M${X[2]} 12H${X[4]}`), path('d', `M${X[0]} 12h0M${X[6]} 12h0`)); for (const v of k[7] || []) a.append(s('circle.o', {cx: px(dots.x(v * D.scale / r)), cy: 12, r: 3.4})); } // min p5 p25 p50 p75 p95 max, [outliers]
    if (q) {
      const xs = [], zs = [], off = [0, 0]; // off the scale: a triangle, with their number
      q.forEach((x, t) => {
        if (flat[t].left) return;
        const v = at(q, t) / r, X = dots.x(v);
        if (v <= 0) zs.push(4);
        else if (v > dots.hi * 1.1 || v < dots.lo * .9) off[+(v > 1)]++;
        else if (out.has(t)) a.append(s('circle.o', {cx: px(X), cy: 12, r: 3.4}));
        else xs.push(X);
      });
      off.forEach((n, up) => n && a.append(path('o', up ? `M${w - 5} 8l6 4l-6 4z` : `M${dots.zero + 5} 8l-6 4l6 4z`), n > 1 ? text(up ? w - 8 : dots.zero + 8, 16, n, up ? 'end' : null, 'h') : ''));
      a.append(path('d', swarm(xs, 12, 8)), zs.length && dots.zero ? path('d zz', swarm(zs, 12, 8)) : '');
    }
  } else if (q) {
    let d = '', l = '';
    flat.forEach((f, t) => { const y = px(dots.y(at(q, t) / r)), x = px(orderX(t)); l += (f.i ? 'L' : 'M') + x + ' ' + y; if (out.has(t)) a.append(s('circle.o', {cx: x, cy: y, r: 3})); else if (w / flat.length > 3) d += `M${x} ${y}h0`; });
    a.prepend(path('gridl', `M0 12.5h${w}`), path('line', l), path('d', d));
  }
  a.append(s('circle.p', {r: 4.4, cy: 12, style: 'display:none', 'data-i': i}));
  return a;
}
function markDots() { // the step in hand, in every row that is in the document
  const t = hand();
  for (const c of $$('circle.p', $('#opstable'))) {
    const i = +c.dataset.i, q = t == null ? null : series(S.kind, i), v = q && at(q, t) / ref(i);
    c.style.display = q ? '' : 'none';
    if (q) { c.setAttribute('cx', S.dots === 'value' ? dots.x(v) : orderX(t)); c.setAttribute('cy', S.dots === 'value' ? 12 : dots.y(v)); }
  }
}
function select(kind, i, keep) {
  S.sel = S.sel && S.sel.kind === kind && S.sel.i === i && !keep ? null : {kind, i};
  for (const tr of $$('tr[data-i]', $('#opstable'))) { const on = !!S.sel && kind === S.kind && +tr.dataset.i === i; tr.setAttribute('aria-selected', on); tr.tabIndex = on ? 0 : -1; }
  drawDetail();
  remember(S.sel ? D.rows[kind].op[i] : null);
}

// ---- detail
function drawDetail() {
  if (!S.sel) return hideDock();
  const {kind, i} = S.sel, g = D.rows[kind], name = g.op[i], isOp = kind === 'name', q = series(kind, i), u = autoUnit(dim, g.max[i] || g.mean[i]), k = UNIT[dim][u];
  const f = x => x == null ? '–' : fix(x / k, dim !== 'time' ? 2 : clamp(round(Math.log10(k / D.scale)) + (kept > 9), 0, 3)), pcs = x => x == null ? '–' : pc(x) + NB + '%', notes = [];
  const close = () => { const tr = $(`tr[data-i="${i}"]`, $('#opstable')); select(kind, i); if (tr) tr.focus(); };
  if (g.mark && g.mark[i]) notes.push(noteOf(g.mark[i]));
  if (g.out[i].length) notes.push(`${g.out[i].length} of ${kept} steps lie farther than 14.8 MAD from the median: step ` + g.out[i].slice(0, 8).map(t => (many ? runs[flat[t].run].name + ' ' : '') + flat[t].n).join(', ') + (g.out[i].length > 8 ? ', …' : ''));
  if (atFloor(g, i)) notes.push('Its CV is not above what the resolution of the recorded times makes by itself.');
  if (g.ran[i] < g.steps[i]) notes.push(`Ran in ${g.ran[i]} of ${g.steps[i]} steps; the others count as 0 (--absent=skip: they do not count).`);
  if (!q) notes.push('Its steps are not in this file, as it is among the smallest; the commands show them.');
  const files = [...D.inputs, ...D.options].map(shell).join(' '), inc = {name: '--include=' + shell(`^${pattern(name)}$`), scope: '--value=total --include=' + shell(`^${pattern(name)}(/|$)`)}[kind] || '--by=' + kind, plot = h('div');
  showDock(name, isOp ? [...kinds(i), D.device[g.device[i]].replace(/^.*device:/, '')].join(' · ') : [`${names[kind][0]} of ${count(members(kind, i).length, 'name')} · `, h('button.link', {type: 'button', onclick: () => showOps(kind === 'scope' ? '' : name, kind === 'scope' ? name : null)}, 'show them in the table')], close, [plot,
    numbers([['mean', f(g.mean[i]) + NB + shown(u), 'mean'], g.low[i] == null ? ['interval', '–', one ? '' : 'noci'] : ['interval', `${f(g.low[i])} to ${f(g.high[i])}`, 'ci'], ['median', f(g.median[i]), 'median'], ['min, max', `${f(g.min[i])}, ${f(g.max[i])}`], ['p95', f(g.p95[i]), 'p95'],
      g.sd[i] != null && ['sd', f(g.sd[i]), 'sd'], spread && [many ? 'CV of steps' : 'CV', pcs(g.cv[i]), 'cv'], many && ['CV of runs', pcs(g.cvrun[i]), 'cvrun'], spread && g.robust[i] != null && ['robust CV', pcs(g.robust[i]), 'robust'], spread && g.floor[i] > g.cv[i] / 9 && ['CV floor', pcs(g.floor[i]), 'floor'],
      ['share', pct(g.share[i] || 0, 2), 'share'], spread && ['jitter share', pct(g.jitter[i], 2), 'jitter'], spread && !many && ['n, n_eff', `${g.n[i]}, ${fix(g.neff[i], 1)}`, 'neff'], ['ran', `${g.ran[i]} of ${g.steps[i]} steps`], g.second && g.second[i] != null && [D.second, quantity(g.second[i], 'bytes'), 'second']].map(r => r && [r[0], r[1], D.formula[r[2]]])),
    h('div', noteList(notes), command('this row', `stepstat report ${files} ${inc} --top=all`), isOp && command('its steps', `stepstat sql ${D.inputs.map(shell).join(' ')} ${shell2(`SELECT run, step, value${dim === 'time' ? '/1e6 AS us' : ''} FROM obs WHERE measure = '${D.measure}' AND op = ${sqlText(name)}`)}`))]);
  if (q) seriesPlot(plot, q, g, i, k, u);
  document.body.style.paddingBottom = $('#dock').offsetHeight + 'px';
}
function showOps(text, scope) { Object.assign(S, {kind: 'name', regex: false, text, scope, sel: null, all: false}); drawTools(); drawTable(); drawDetail(); goTo('#ops'); }
// Series over the steps and, on the same axis, how often each value came.
function seriesPlot(box, q, g, i, k, u) {
  const W = Max(box.clientWidth, 300), H = 216, L = 44, HW = spread ? Min(110, W * .22) : 0, top = 16, bot = H - 20, pw = W - L - HW - 10, v = q.map((x, t) => at(q, t)), used = v.filter((x, t) => !flat[t].left), pos = used.filter(x => x > 0), min = Min(...pos), lo = Min(...v, g.low[i] == null ? 1 / 0 : g.low[i]), max = Max(...v, g.high[i] || 0);
  const canLog = Max(...v) / min > 8, log = S.log == null ? canLog : S.log && pos.length > 0, F = x => log ? Math.log10(Max(x, min * .8)) : x, a = log ? F(0) : lo * 2 > max ? Max(0, lo - (max - lo) * .2 - max * .01) : 0, b = log ? F(max) + .06 : max + (max - a) * .05 || 1, y = x => clamp(top + (bot - top) * (1 - (F(x) - a) / (b - a)), top - 6, bot);
  const root = svg(W, H, 'Values over the steps, and how often each came'), out = new Set(g.out[i]), gap = many ? 10 : 0, cw = (pw - gap * (runs.length - 1)) / flat.length, X = t => px(L + (t + .5) * cw + flat[t].run * gap);
  let tk = log ? range(14).flatMap(e => [1, 2, 5].map(m => m * 10 ** (e - 4))).filter(t => F(t * k) > a && t * k <= max * 1.1) : ticks(a / k, b / k, 4);
  if (log && tk.length > 6) tk = tk.filter(t => /^0?\.?0*1/.test(t));
  tk.forEach(t => { const yy = round(y(t * k)) + .5; root.append(path('gridl', `M${L} ${yy}H${W}`), text(L - 6, yy + 4, tickText(t), 'end')); });
  root.append(text(L - 6, 8, shown(u), 'end'));
  if (g.low[i] != null) root.append(rect('band', L, y(g.high[i]), pw, Max(y(g.low[i]) - y(g.high[i]), 1)));
  root.append(path('mean', `M${L} ${round(y(g.mean[i])) + .5}h${pw}`));
  let d = '', dl = '', l = '', lastX = -99;
  flat.forEach((f, t) => { l += `${f.i ? 'L' : 'M'}${X(t)} ${px(y(v[t]))}`; const o = `M${X(t)} ${px(y(v[t]))}h0`; if (f.left) dl += o; else if (!out.has(t)) d += o; });
  root.append(path('line', l), path('d', d, {style: `opacity:.85;stroke-width:${cw < 3 ? 2.4 : 4.4}`}), path('d zz', dl, {style: 'stroke-width:4'}));
  flat.forEach((f, t) => {
    if (out.has(t)) { root.append(s('circle.o', {cx: X(t), cy: y(v[t]), r: 4})); if (X(t) - lastX > 34) root.append(text(lastX = X(t), y(v[t]) - 7, f.n, 'middle', 'k h')); }
    if (many ? !f.i : f.i % Max(1, ceil(34 / cw)) === 0) root.append(many ? text(X(t) - cw / 2, H - 5, runs[f.run].name.length * 6.4 < cw * runs[f.run].step.length ? runs[f.run].name : 'run ' + (f.run + 1)) : text(X(t), H - 5, f.n, 'middle'));
  });
  if (spread) { // bins of 8 px on the same axis
    const bins = new Map(), hx = W - HW;
    used.forEach(x => { const b = floor(y(x) / 8); bins.set(b, (bins.get(b) || 0) + 1); });
    const most = Max(...bins.values());
    bins.forEach((c, b) => { const bw = c / most * (HW - 22); root.append(rect('hist', hx, b * 8 + .5, bw, 7), [b - 1, b + 1].some(x => bins.get(x) > c || bins.get(x) === c && x < b) ? '' : text(hx + bw + 4, b * 8 + 8, c)); });
    root.append(path('axis', `M${hx - .5} ${top}V${bot}`), text(hx, H - 5, 'steps'));
  }
  box.replaceChildren(root, canLog || S.log ? button('logarithmic', () => { S.log = !log; seriesPlot(box, q, g, i, k, u); }, {'aria-pressed': String(log)}) : '');
}

// ---- scopes: from left to right down the names; chains of one child are one box
let tree, zoom = null;
function makeTree() {
  const g = D.rows.scope, by = new Map(), root = {label: 'all ops', mean: T.mean, cv: T.cv, kids: []};
  g.op.forEach((name, i) => by.set(name, {i, name, mean: g.mean[i], cv: g.cv[i], kids: []}));
  by.forEach((x, n) => { let p = n, up; while (!up && p.includes('/')) up = by.get(p = p.slice(0, p.lastIndexOf('/'))); (up || root).kids.push(x); x.label = up ? n.slice(up.name.length + 1) : n; });
  const join = x => { for (let k; x !== root && x.kids.length === 1 && (k = x.kids[0]).mean >= x.mean * .995;) Object.assign(x, {label: x.label + '/' + k.label, name: k.name, i: k.i, kids: k.kids}); x.kids.sort((a, b) => b.mean - a.mean).forEach(k => { k.up = x; join(k); }); return x; };
  return join(root);
}
const cvClass = c => c == null ? 'x' : [5, 15, 50, 150, 1 / 0].findIndex(x => c < x);
function drawScopes() {
  const box = $('#icicle');
  if (!box) return;
  const top = zoom || (tree = tree || makeTree()), depth = x => 1 + Max(0, ...x.kids.map(depth)), W = Max(box.clientWidth, 640), H = 420, cw = Min(W / depth(top), 300), root = svg(W, H, 'Scopes: height is the mean per step, colour is CV');
  root.classList.add('icicle'); root.setAttribute('role', 'group');
  (function place(x, d, y, hgt) {
    const c = cvClass(x.cv), room = floor((cw - 8) / 6.1), v = quantity(x.mean, dim), fits = room - v.length - 2, label = x.label.length <= fits ? x.label : fits > 4 ? x.label.slice(0, ceil(fits * .45)) + '…' + x.label.slice(x.label.length - floor(fits * .5)) : '', g = x.node = s('g', {tabindex: x === top ? 0 : -1, role: 'button', 'aria-label': `${hgt < 12 ? '' : label + ' '}${v}, CV ${pc(x.cv)} %, ${x.name || ''}`, onclick: () => { zoom = x === top ? x.up || null : x.kids.length ? x : zoom; drawScopes(); readScope(x); }, onpointerenter: () => readScope(x), onfocus: () => readScope(x), onkeydown: e => {
      const near = x.up ? x.up.kids : [], k = near.indexOf(x), to = {ArrowLeft: x.up, ArrowRight: x.kids[0], ArrowDown: near[k + 1], ArrowUp: near[k - 1]}[e.key];
      if (to && to.node) to.node.focus(); else if (e.key === 'Enter') { x.node.dispatchEvent(new MouseEvent('click')); (zoom || tree).node.focus(); } else return;
      e.preventDefault();
    }}, rect('g' + c, d * cw, y, cw, Max(hgt, .8)));
    if (hgt >= 12) { const ty = y + Min(hgt / 2 + 4, 14); g.append(text(d * cw + 5, ty, label, null, 'n' + c), ' ', text((d + 1) * cw - 5, ty, v, 'end', 'n' + c)); }
    root.append(g);
    let yy = y;
    for (const k of x.kids) { const q = k.mean / x.mean * hgt; if (q >= .6) place(k, d + 1, yy, q); yy += q; }
  })(top, 0, 0, H);
  box.replaceChildren(root);
  $('#crumbs').replaceChildren(...zoom ? [button('all ops', () => { zoom = null; drawScopes(); }), ' ' + zoom.name] : []);
}
function readScope(x) {
  const j = x.i == null ? null : D.rows.scope.jitter[x.i];
  $('#icread').replaceChildren(h('b', x.name || 'all ops'), ...[`${big(x.mean)} per step`, `share ${fix(x.mean / T.mean * 100, 1)} %`, `CV ${pc(x.cv)} %`, j != null && `jitter ${fix(j, 1)} %`].filter(Boolean).map(t => h('span', t)), x.i == null ? '' : h('button.link', {type: 'button', onclick: () => showOps('', x.name)}, 'its ops in the table'));
}

// ---- tools above the table, and the start
function drawTools() {
  const again = () => { drawTools(); drawTable(); };
  keepFocus($('#tools'), () => $('#tools').replaceChildren(...filterBox(S, drawTable, 'filter: name, type or class'), button('all scopes', () => { S.scope = null; drawTable(); }, {id: 'unscope', hidden: true}), KINDS.length > 1 ? h('span', 'rows ', seg('rows are', KINDS.map(k => [k, names[k][0]]), S.kind, v => { Object.assign(S, {kind: v, scope: null, sel: null}); drawDetail(); again(); })) : '', spread ? h('span', 'dots ', seg('dots show', [['value', 'by value'], ['order', 'in order']], S.dots, v => { S.dots = v; again(); })) : '', h('span.count', {id: 'count', 'aria-live': 'polite'})));
}
function drawAll() { drawSteps(); drawTable(); drawScopes(); drawDetail(); }
function openOp(i) { if (!lens.rows.includes(i)) { Object.assign(S, {kind: 'name', text: '', scope: null}); drawTools(); drawTable(); } if (!lens.rows.includes(i)) { S.all = true; drawTable(); } select('name', i, true); }
page(S, dim, T.mean, drawAll);
chooseStack();
for (const k of KINDS) if (k !== 'scope') $('#stack').append(h('option', {value: k, selected: k === S.stack}, 'by ' + names[k][0]));
$('#stack').onchange = e => { S.stack = e.target.value; drawSteps(); };
drawTools(); drawAll(); link();
$$('[data-op]').forEach(a => a.addEventListener('click', e => { e.preventDefault(); goTo('#ops'); S.kind === 'name' || (S.kind = 'name', drawTools(), drawTable()); openOp(+a.dataset.op); }));
if (N.op.includes(remembered())) openOp(N.op.indexOf(remembered()));
