'use strict';
// ---- a comparison. Every number was computed by the program; the page draws, sorts and adds differences.
const D = JSON.parse($('#data').textContent), R = D.rows, FIRST = D.measures[0], sides = [D.side0, D.side1], TOP = 24;
const symbol = id => s('svg', {class: 'ic', 'aria-hidden': 'true'}, s('use', {href: '#i-' + id}));
const S = {measure: FIRST, text: '', regex: false, sort: 'size', dir: -1, unit: 'auto', all: false, only: null, sel: null};
const M = () => D.m[S.measure], dim = () => M().dimension, isFirst = () => S.measure === FIRST;
// verdict: icon, side, filled when the change is decided
const V = {REGRESSED: ['up', 'worse'], MORE: ['up', 'worse'], SLOWER: ['upo', 'worse'], WORSE: ['upo', 'worse'], LOST: ['gone', 'worse'], BETTER: ['downo', 'better'], IMPROVED: ['down', 'better'], LESS: ['down', 'better'], FASTER: ['downo', 'better'], SAME: ['same', 'same'], NEW: ['new', ''], GONE: ['gone', ''], RARE: ['none', 'dim'], INCONCLUSIVE: ['maybe', 'dim']}, vOf = i => V[M().verdict[i]] || ['none', 'dim'];
const changed = i => !['SAME', 'INCONCLUSIVE', 'RARE', null, ''].includes(M().verdict[i]), small = i => isFirst() && R.small[i] === 1 && !!M().small;
const totals = () => M().total;
const unit = () => S.unit === 'auto' || !UNIT[dim()][S.unit] && S.unit !== 'pct' ? autoUnit(dim(), Math.max(totals().base, totals().new)) : S.unit, factor = () => unit() === 'pct' ? (totals().base || totals().new) / 100 : UNIT[dim()][unit()], unitName = () => D.bench && S.unit === 'auto' ? NB : unit() === 'pct' ? '% of base' : shown(unit());
const decimals = () => unit() === 'pct' ? 2 : clamp(3 - Math.floor(Math.log10(Math.max(totals().base, totals().new) / factor() || 1)), 1, 3);
const val = x => D.bench && S.unit === 'auto' ? quantity(x, dim()) : x ? fix(x / factor(), decimals()) : x == null ? '–' : '0', dif = x => signed(x / factor(), clamp(2 - Math.floor(Math.log10(Math.max(...M().diff.map(y => Math.abs(y || 0))) / factor() || 1)), 1, 4)), pct = x => x == null ? '' : Math.abs(x) >= 99.5 ? signed(x, 0) : signed(x, 1), ratio = x => 1 + x / 100;
let short = shortener(R.op, R.short);

// ---- runs of both sides: a row each, dots are steps, the tick is the mean of the kept ones
function runsPlot(box, label, means, of) {
  const W = Math.max(box.clientWidth, 280), rowH = 16, L = 92, MOST = 60, pw = W - L - 6, all = sides.map((x, k) => x.runs.slice(0, MOST).map((r, j) => of(k, r, j))), vals = all.flat().flatMap(r => r.v.filter(x => x > 0));
  if (!vals.length) return box.replaceChildren();
  const lo = Math.min(...vals), hi = Math.max(...vals), log = hi / lo > 6, d = M().dimension, u = autoUnit(d, hi), k = UNIT[d][u], F = x => log ? Math.log10(Math.max(x, lo * .8)) : x, wide = Math.max(hi - lo, hi * .01), a = log ? F(lo) - .05 : lo * 2 < hi ? 0 : lo - wide * .12, b = log ? F(hi) + .05 : hi + Math.max(hi - a, wide) * .04, X = x => L + (F(x) - a) / (b - a) * pw;
  const H = sum(all.map((rs, q) => rs.some(r => r.v.some(v => v > 0)) ? rs.length * rowH + (sides[q].runs.length > MOST ? rowH : 0) : 0)) + 64, root = svg(W, H, label);
  let tk = log ? range(12).flatMap(e => [1, 2, 5].map(m => m * 10 ** (e - 5))).filter(t => F(t * k) >= a && F(t * k) <= b) : ticks(a / k, b / k, 5), y = 4;
  if (tk.length > 8) tk = tk.filter(t => /^0?\.?0*1/.test(t));
  tk.forEach(t => root.append(path('gridl', `M${px(X(t * k))} 4V${H - 18}`), text(X(t * k), H - 4, tickText(t), 'middle')));
  root.append(text(0, H - 4, shown(u) + (log ? ', log scale' : '')));
  all.forEach((rs, side) => {
    const m = means[side], top = y, x = X(m), gone = !rs.some(r => r.v.some(v => v > 0)) && !(m > 0);
    root.append(text(0, y + 13, side ? 'new' : 'base', null, 'k'), gone ? text(L, y + 13, 'does not have it') : text(clamp(x, L, W - 30), y + 13, quantity(m, D.dimension), 'middle', 'k h'));
    y += 20;
    if (!gone) rs.forEach(r => {
      const left = r.v.filter((v, i) => r.left[i] && v > 0), kept = r.v.filter((v, i) => !r.left[i] && v > 0);
      root.append(text(0, y + 11, r.name.length > 14 ? r.name.slice(0, 6) + '…' + r.name.slice(-7) : r.name), path('sd', swarm(kept.map(X), y + 8, 4, 3)), path('sd left', swarm(left.map(X), y + 8, 4, 3)), r.mean != null && path('rm', `M${Math.round(X(r.mean))} ${y + 2}v12`) || '');
      y += rowH;
    });
    if (sides[side].runs.length > MOST) { root.append(text(0, y + 11, `and ${sides[side].runs.length - MOST} more runs`)); y += rowH; }
    if (m > 0) root.append(path('sm', `M${px(x)} ${top + 17}V${y}`));
    y += 2;
  });
  box.replaceChildren(root);
}
// ---- from base to new: what each op adds
function waterfall(box) {
  if (!box) return;
  const m = D.m[FIRST], t = m.total, rows = range(R.op.length).filter(i => !small(i)).sort((a, b) => Math.abs(m.diff[b]) - Math.abs(m.diff[a])), most = sum(m.diff.map(x => Math.abs(x))) || 1, top = rows.filter((i, k) => k < 9 && Math.abs(m.diff[i]) > most * .012).sort((a, b) => m.diff[b] - m.diff[a]);
  const rest = t.new - t.base - sum(top.map(i => m.diff[i])), W = Math.max(box.clientWidth, 280), rowH = 23, L = Math.min(230, W * .4), Rr = 74, pw = W - L - Rr, room = roomFor(box, L - 12);
  const list = [{n: 'base', a: 0, b: t.base}];
  let at = t.base;
  for (const i of top) { list.push({n: short(i, room), full: R.op[i], a: at, b: at += m.diff[i], i}); }
  if (R.op.length > top.length) list.push({n: `${R.op.length - top.length} other ${R.op.length - top.length > 1 ? D.nouns : D.noun}`, a: at, b: at + rest, rest: true});
  list.push({n: 'new', a: 0, b: t.new});
  const ends = list.slice(1, -1).flatMap(r => [r.a, r.b]).concat(t.base, t.new), lo = Math.min(...ends), hi = Math.max(...ends), zero = hi === lo || lo < (hi - lo) * 4, a = zero ? 0 : lo - (hi - lo) * .25, X = v => L + (v - a) / (hi - a) * pw, H = list.length * rowH + 18, root = svg(W, H, 'From base to new: the contribution of each op to the change of a step; the table has the numbers');
  ticks(a / factor(), hi / factor(), 4).forEach(v => root.append(path('gridl', `M${px(X(v * factor()))} 0V${H - 18}`), text(X(v * factor()), H - 4, tickText(v), 'middle')));
  root.append(text(W, H - 4, unitName(), 'end'));
  list.forEach((r, k) => {
    const y = k * rowH + 3, end = k === 0 || k === list.length - 1, x0 = end ? L : X(Math.min(r.a, r.b)), x1 = X(Math.max(r.a, r.b)), d = r.b - r.a;
    const cls = end ? 'tot' : r.i != null && changed(r.i) ? d > 0 ? 'pw' : 'pb' : 'pu', g = s('g', r.i == null ? {} : {style: 'cursor:pointer', onclick: () => openRow(r.i)}, s('title', {}, r.full || String(r.n)));
    const label = s('text', {x: 0, y: y + 13, class: 'k'}); // tspans: scope dimmed as in the table
    if (r.n.stem != null) label.append(s('tspan', {style: 'fill:var(--ink3)'}, r.n.scope), r.n.stem, s('tspan', {style: 'fill:var(--ink3)'}, r.n.tail)); else { label.append(r.n); if (end) label.setAttribute('font-weight', 600); }
    g.append(label, rect(cls, px(x0), y + 2, px(Math.max(x1 - x0, 1)), rowH - 9));
    if (end && !zero) g.append(path('', `M${L + 9} ${y}l-3 5l4 5l-3 5l2 4`, {style: 'stroke:var(--bg);stroke-width:3;fill:none'}));
    g.append(text(end ? X(r.b) + 5 : x1 + 5, y + 13, end ? val(r.b) : dif(d), null, 'k'));
    if (k < list.length - 1) g.append(path('axis', `M${Math.round(X(r.b)) + .5} ${y + rowH - 7}v9`));
    root.append(g);
  });
  box.replaceChildren(root);
}
function drawTop() {
  if ($('#runs')) runsPlot($('#runs'), `${D.stepname} of each step, by run`, [D.step.base, D.step.new], (k, r) => ({name: r.name, v: r.wall || r.total, left: r.left, mean: r.mean}));
  if ($('#fall')) waterfall($('#fall'));
}

// ---- the table, with the forest plot in it
let view = [], X, jmax;
function drawTable() {
  const box = $('#opstable'), W = box.clientWidth, m = M(), n = R.op.length, two = W < 700, test = matcher(S), size = (D.bench ? m.change : m.diff).map(x => Math.abs(x || 0)), key = {op: R.op, size, diff: m.diff, base: m.base, new: m.new, change: m.change, q: m.q, verdict: m.verdict}[S.sort] || size;
  view = range(n).filter(i => test(R.op[i] + '\n' + R.type[i]) && (!S.only || m.verdict[i] === S.only));
  view.sort((a, b) => key[a] == null || key[b] == null ? (key[a] == null) - (key[b] == null) || size[b] - size[a] : (key[a] < key[b] ? -1 : key[a] > key[b] ? 1 : 0) * S.dir || size[b] - size[a]);
  const filtered = view.length < n, shownRows = filtered || S.all ? view : view.filter((i, k) => !small(i) && (k < TOP || changed(i) && view.length < 300)), inTop = new Set(shownRows), rest = filtered ? [] : view.filter(i => !inTop.has(i) && !small(i));
  const cols = columns(W, two), fw = cols.find(c => c.k === 'forest').w - 14;
  // One axis for all rows: factors of base, stretched around 1.
  let lo = 1, hi = 1;
  const ses = [];
  range(n).forEach(i => { if (small(i) || m.base[i] === 0 || m.new[i] === 0 || m.verdict[i] == null && !isFirst()) return; const big = size[i] > (totals().base || 1) * .002 || changed(i); if (m.logse[i]) ses.push(m.logse[i]); if (big) for (const x of [m.change[i], m.low[i], m.high[i]]) if (x != null) { lo = Math.min(lo, ratio(x)); hi = Math.max(hi, ratio(x)); } });
  X = factorScale(lo, hi, clamp(median(ses) || .05, Math.max(Math.log(1 + (D.margin || 0) / 100) * .5, .002), .5), fw);
  jmax = Math.max(...size, 1e-9);
  const tail = [], total = (label, v, cls) => h('tr', {class: cls, role: 'row'}, cols.map(c => c.k === 'forest' && v.change != null ? cell('plot', forest(fw, {...v, exact: v.evidence === 'exact'})) : cell((c.cls || '') + (c.k === 'op' ? ' name' : ''), {op: label, base: val(v.base), new: val(v.new), change: pct(v.change), diff: dif(v.new - v.base), verdict: c.k === 'verdict' && 'verdict' in v && verdict(v.verdict, v.sees)}[c.k])));
  if (rest.length) { const b = sum(rest.map(i => m.base[i])), w = sum(rest.map(i => m.new[i])), by = Object.entries(rest.reduce((a, i) => (a[m.verdict[i]] = (a[m.verdict[i]] || 0) + 1, a), {})); tail.push(total(`[${rest.length} other ${rest.length > 1 ? D.nouns : D.noun}]`, D.bench ? {} : {base: b, new: w}, 'sum')); const c = tail[tail.length - 1].lastChild; c.append(h('span', {class: 'dim'}, by.map(([k, x]) => `${x} ${k === 'null' ? 'without verdict' : k}`).join(', '))); }
  if (m.small && !filtered && !S.all) tail.push(total(`[${m.smalls} small ${m.smalls > 1 ? D.nouns : D.noun}, tested as one]`, {...m.small, cls: (V[m.small.verdict] || [])[1]}, 'sum'));
  if (filtered && view.length && !D.bench) tail.push(total(many(view.length) + ' together', {base: sum(view.map(i => m.base[i])), new: sum(view.map(i => m.new[i]))}, 'sum'));
  if (!D.bench) tail.push(total('all ops', {...totals(), cls: (V[totals().verdict] || ['', 'dim'])[1]}, 'all'));
  if (!view.length) tail.unshift(h('tr', {class: 'sum'}, h('td', {class: 'l', colspan: cols.length}, `No ${D.noun} matches. `, h('button', {class: 'link', type: 'button', onclick: () => { S.text = ''; S.only = null; drawTools(); drawTable(); }}, 'Clear the filter'))));
  drawLens(box, {cols, rows: shownRows, tail, S, two, rowH: two ? 58 : 34, draw: drawTable, pick: select, any: S.sel != null, at: i => S.sel === i, title: `${many(view.length)} of base and new: change with interval, contribution, verdict`});
  $('#more').replaceChildren(...rest.length || S.all ? [button(S.all ? 'Show the largest only' : `Show all ${many(n)}`, () => { S.all = !S.all; drawTable(); })] : []);
  $('#count').textContent = (filtered ? view.length + ' of ' : '') + many(n);
}
const many = n => `${n} ${n === 1 ? D.noun : D.nouns}`;
function columns(W, two) {
  const m = M(), num = (k, w, label, unit, f, cls) => ({k, w, label, unit, cls, cell: i => cell(cls, f(i))});
  const op = {k: 'op', label: D.noun, cls: 'l', cell: (i, c) => h('td', {role: 'rowheader', class: 'l name', title: R.op[i] + (R.name0[i] ? '\nin base: ' + R.name0[i] : '')}, nameNode(short(i, roomFor($('#opstable'), (two ? W : c.w) - 14))))};
  const c = [op, !two && num('base', 66, 'base', unitName(), i => m.verdict[i] === 'NEW' ? '–' : val(m.base[i])), !two && num('new', 66, 'new', unitName(), i => ['GONE', 'LOST'].includes(m.verdict[i]) ? '–' : val(m.new[i])), num('change', two ? 58 : 66, 'change', '%', i => ['NEW', 'GONE', 'LOST'].includes(m.verdict[i]) ? '' : pct(m.change[i])),
    {k: 'forest', sort: 'change', w: two ? W - 170 : W * .29, cls: 'plot', label: two ? 'interval' : 'change with interval, ○ runs of base, ● runs of new', axis: a => { X.axis(a, 10, 'no change'); return a; }, cell: (i, c) => cell('plot', forest(c.w - 14, {change: m.change[i], low: m.low[i], high: m.high[i], verdict: m.verdict[i], exact: m.evidence[i] === 'exact', cls: vOf(i)[1], i}))},
    !two && !D.bench && num('diff', 68, 'adds', unitName(), i => dif(m.diff[i] || 0)), !two && !D.bench && {k: 'dbar', w: W * .06, cls: 'plot', axis: a => a, cell: (i, c) => cell('plot', diffBar(c.w - 14, m.diff[i] || 0, changed(i)))},
    !two && W > 1000 && num('q', 58, 'q', NB, i => m.evidence[i] === 'exact' ? 'exact' : m.q[i] == null ? '' : m.q[i] < .001 ? '<0.001' : m.q[i].toFixed(m.q[i] < .1 ? 3 : 2), 'dim'), num('verdict', two ? 112 : W > 1100 ? 214 : 128, 'verdict', '', i => [verdict(m.verdict[i], W > 1100 ? m.sees[i] : null, R.mark[i], small(i))], 'l')].filter(Boolean);
  c.forEach(x => { x.w = Math.round(x.w); if (x.k === 'verdict') x.unit = NB; });
  op.w = Math.max(W - sum(c.slice(1).map(x => x.w)), 60);
  return c;
}
function verdict(v, sees, mark, isSmall) {
  const [ic, cls] = V[v] || ['none', 'dim'];
  return h('span', {class: 'verdict ' + cls}, symbol(ic), v || (isSmall ? 'small, tested as one' : 'no verdict'), v === 'INCONCLUSIVE' && sees != null && h('small', {}, `sees > ${pc(+sees)} %`), mark && h('span', {class: 'mk', title: noteOf(mark)}, mark));
}
const noteOf = k => (D.notes.find(x => x.mark === k) || {}).text;
function forest(w, r) {
  const a = svg(w, 34), z = X.x(1), band = (D.margin || 0) / 100, m0 = X.x(1 / (1 + band)), m1 = X.x(1 + band);
  a.setAttribute('class', 'f-' + r.cls);
  a.append(band ? rect('margin', px(m0), 0, px(Math.max(m1 - m0, 2)), 34) : '', path('zero', `M${Math.round(z) + .5} 0v34`));
  if (['NEW', 'GONE', 'LOST'].includes(r.verdict)) { a.append(text(z + 8, 21, r.verdict === 'NEW' ? 'only in new' : 'only in base')); return a; }
  if (r.change == null) return a;
  const e = ratio(r.change), l = r.low == null ? null : ratio(r.low), hh = r.high == null ? null : ratio(r.high), x = X.x(e);
  if (l != null) { const xl = X.x(l), xr = X.x(hh), ol = l < X.lo * .98, or = hh > X.hi * 1.02; a.append(path('iv', `M${px(xl)} 17H${px(xr)}` + (ol ? `M${px(xl) + 4} 13.5l-4 3.5l4 3.5` : `M${px(xl)} 14v6`) + (or ? `M${px(xr) - 4} 13.5l4 3.5l-4 3.5` : `M${px(xr)} 14v6`))); }
  if (r.i != null && isFirst()) {
    const b = M().base[r.i], dots = (k, y, cls) => (R['runs' + k][r.i] || []).forEach(v => { if (v == null || !b) return; a.append(s('circle', {class: cls, cx: px(X.x(v / b)), cy: y, r: 2.3})); });
    dots(0, 6, 'rb'); dots(1, 28, 'rn');
  }
  const q = r.exact ? `M${px(x)} 12l5 5l-5 5l-5 -5z` : `M${px(x - 3.5)} 13.5h7v7h-7z`;
  a.append(path('est', q));
  return a;
}
function diffBar(w, v, sure) {
  const m = w / 2, x = v / jmax * m;
  return svg(w, 34, null, path('axis', `M${Math.round(m) + .5} 4v26`), rect(sure ? v > 0 ? 'pw' : 'pb' : 'pu', px(Math.min(m, m + x)), 11, px(Math.max(Math.abs(x), .75)), 12));
}
function drawTools() {
  const m = M(), n = {}, again = () => { drawTools(); drawTable(); };
  m.verdict.forEach((v, i) => { if (!small(i)) n[v] = (n[v] || 0) + 1; });
  keepFocus($('#tools'), () => $('#tools').replaceChildren(...filterBox(S, drawTable, 'filter: name or type'), D.measures.length > 1 ? seg('what is compared', D.measures.map(x => [x, x]), S.measure, v => { S.measure = v; S.only = null; again(); drawDetail(); }) : '',
    h('span', {class: 'chips', role: 'group', 'aria-label': 'show only'}, Object.keys(V).filter(v => n[v]).map(v => [h('button', {type: 'button', class: 'btn', 'aria-pressed': String(S.only === v), onclick: () => { S.only = S.only === v ? null : v; again(); }}, h('span', {class: 'verdict ' + V[v][1]}, symbol(V[v][0]), `${n[v]} ${v}`)), ' '])), h('span', {class: 'count', id: 'count', 'aria-live': 'polite'})));
}

// ---- detail
function select(i, keep) {
  S.sel = S.sel === i && !keep ? null : i;
  for (const tr of $$('tr[data-i]', $('#opstable'))) { const on = +tr.dataset.i === S.sel && S.sel != null; tr.setAttribute('aria-selected', on); tr.tabIndex = on ? 0 : -1; }
  drawDetail(); remember(S.sel == null ? null : R.op[S.sel]);
}
function openRow(i) { if (!lens.rows.includes(i)) { S.all = true; S.only = null; S.text = ''; drawTools(); drawTable(); } select(i, true); }
function drawDetail() {
  const i = S.sel;
  if (i == null) return hideDock();
  const m = M(), t = isFirst(), q = x => quantity(x, dim()), g = (x, d) => x == null ? '–' : +x.toPrecision(d || 4) + '', close = () => { const tr = $(`tr[data-i="${i}"]`, $('#opstable')); select(i); if (tr) tr.focus(); }, plot = h('div'), notes = (R.codes[i] || '').split(' ').map(c => D.codes[c]).filter(Boolean);
  if (R.mark[i] && noteOf(R.mark[i])) notes.unshift(noteOf(R.mark[i]));
  if (m.verdict[i] === 'INCONCLUSIVE') notes.unshift(`Neither shown to differ nor to be the same: such runs show changes above ${pc(m.sees[i])} %.`);
  if (m.verdict[i] === 'SAME' && m.low[i] != null && D.margin && (m.low[i] < -D.margin || m.high[i] > D.margin)) notes.unshift('SAME rests on two one-sided tests; the interval that is shown is wider and may pass the margin.');
  if (R.paired[i] && !['name', 'new', 'gone'].includes(R.paired[i])) notes.push(`Paired by ${R.paired[i]}; in base: ${R.name0[i]}`);
  const ran = r => r && r[1] ? `${r[0]} of ${r[1]} steps` : '–';
  showDock(R.op[i], [verdict(m.verdict[i], m.sees[i], null, small(i)), R.type[i] && ' · ' + R.type[i]], close, [plot, numbers([['base', q(m.base[i]), 'base'], ['new', q(m.new[i])], ['difference', (m.diff[i] > 0 ? '+' : '') + q(m.diff[i]), 'diff'], m.change[i] != null && ['change', pct(m.change[i]) + NB + '%', 'change'], m.low[i] != null && ['interval', `${pct(m.low[i])} to ${pct(m.high[i])}${NB}%`, 'ci', ` ${g(m.level[i])} %`], m.evidence[i] && ['verdict by', m.evidence[i], m.evidence[i]], m.q[i] != null && ['q', g(m.q[i], 3), 'q', ` (p = ${g(m.p[i], 3)})`],
    m.margin[i] != null && ['margin', g(m.margin[i]) + NB + '%', 'margin'], m.sees[i] != null && ['sees', '> ' + pc(m.sees[i]) + NB + '%', 'sees'], m.logratio[i] != null && ['d', g(m.logratio[i]), 'd'], m.logse[i] != null && ['se, df', `${g(m.logse[i], 3)}, ${g(m.df[i], 3)}`, 'se'], ['ran in base', ran(R.ran0[i])], ['ran in new', ran(R.ran1[i])]].map(r => r && [r[0], r[1], (D.formula[r[2]] || '') + (r[3] || '')])),
    h('div', {}, noteList(notes), command('every number behind this verdict', `stepstat ${D.command} ${[...D.inputs, ...D.options].map(shell).join(' ')} --explain=${shell('^' + pattern(R.op[i]) + '$')}`))]);
  if (!t) plot.append(h('p', {class: 'dim'}, `Runs and steps are drawn for ${FIRST}; the command has the run values of ${S.measure}.`));
  else {
    runsPlot(plot, 'Steps and run values of this row', [m.base[i], m.new[i]], (k, r, j) => {
      const at = sum(sides[k].runs.slice(0, j).map(x => x.step.length)), v = R['series' + k][i], own = R['runs' + k][i];
      return {name: r.name, v: v ? v.slice(at, at + r.step.length).map(x => (x || 0) * D.scale) : own && own[j] != null ? [own[j]] : [], left: v ? r.left : [0], mean: own ? own[j] : null};
    });
    if (!R.series0[i] && !R.series1[i]) plot.prepend(h('p', {class: 'dim'}, 'Of this row the page holds the value of each run, not of each step.'));
  }
  document.body.style.paddingBottom = $('#dock').offsetHeight + 'px';
}
function drawAll() { drawTop(); drawTable(); drawDetail(); }
page(S, D.dimension, Math.max(totals().base, totals().new), drawAll);
drawTools(); drawAll();
$$('[data-op]').forEach(a => a.addEventListener('click', e => { e.preventDefault(); goTo('#ops'); openRow(+a.dataset.op); }));
$$('[data-only]').forEach(a => a.addEventListener('click', () => { S.only = a.dataset.only; drawTools(); drawTable(); }));
if (R.op.includes(remembered())) openRow(R.op.indexOf(remembered()));
