// The traces of a verdict: a lane for each agent, the path of the proof lit, every step a row, its words at the row.

const LANES = 10; // more agents share the last lane
const NEAR = 2; // steps around a cited one, where not all are shown
let picture = { rows: [], lanes: [], names: [], verdict: null, all: false, query: "" };

const traceTitle = el("h2", { id: "trace-title" }, "Sequence");
const traceNote = el("p", { class: "quiet", role: "status" });
const allSteps = el("input", { type: "checkbox", id: "all-steps", onchange: () => { picture.all = allSteps.checked; layTrace(); } });
const find = el("input", { type: "search", placeholder: "Find in these traces", "aria-label": "Find in these traces", oninput: soon(() => { picture.query = find.value.trim().toLowerCase(); layTrace(); }, 100) });
const laneNames = el("div", { class: "lane-names", "aria-hidden": "true" });
const rows = new Rows("Steps in the order of their traces", drawRow);
const trace = el("section", { class: "pane trace-pane", id: "trace", "aria-labelledby": "trace-title", tabindex: "-1" },
  el("header", {}, el("button", { type: "button", class: "back", onclick: goBack }, "\u2190 Verdict"), traceTitle,
    el("label", { for: "all-steps" }, allSteps, " all steps"), find, traceNote), laneNames, rows.root);

// Every step of the traces that the verdict cites, as far as the page holds them.
function stepsOfTrace(t) {
  const scene = sceneOf.get(t), cited = citedIn.get(t) || new Map();
  if (!scene) {
    return [...cited].sort((a, b) => a[0] - b[0]).map(([n, i]) => {
      const s = data.steps[i], p = s.parts[0];
      return { trace: t, n, i, kind: s.kind, actor: p.actor || "", tool: p.tool || "", to: p.to ? p.to.split(", ") : null, text: s.text || "" };
    });
  }
  const word = (n) => scene.words[n || 0];
  return scene.steps.map(([kind, actor, tool, to, text], at) => ({ trace: t, n: at + 1, i: cited.has(at + 1) ? cited.get(at + 1) : null, kind: word(kind), actor: word(actor), tool: word(tool), to: to ? to.map(word) : null, text: text || "" }));
}
function drawTrace(verdict) {
  const v = data.verdicts[verdict];
  const uses = new Map();
  for (const u of usesOf(v)) uses.set(u.step, [...(uses.get(u.step) || []), u]);
  const told = (v.notes || []).filter((n) => n.tag === "path").flatMap((n) => n.steps || []);
  const path = new Set([...(v.steps || []), ...told].map((u) => u.step));
  const traces = [...new Set([...usesOf(v), ...(v.chart ? v.chart.lines.filter((x) => path.has(x.step)) : [])].map((u) => data.steps[u.step].trace))];
  if (v.input && !traces.includes(v.input.trace)) traces.push(v.input.trace);
  allSteps.checked = false;
  find.value = "";
  picture = { verdict, uses, path, traces, steps: new Map(), all: false, query: "", rows: [], lanes: [] };
  traceTitle.textContent = traces.length > 1 ? `Sequence in ${traces.length} traces` : "Sequence";
  layTrace();
}
function stepsHere(t) {
  if (!picture.steps.has(t)) picture.steps.set(t, stepsOfTrace(t));
  return picture.steps.get(t);
}
function layTrace(extra) {
  const words = picture.query.split(/\s+/).filter(Boolean);
  const out = [];
  let hits = 0, total = 0, partial = false;
  for (const t of picture.traces) {
    const mine = stepsHere(t);
    total += mine.length;
    if (!sceneOf.has(t)) partial = true;
    out.push({ head: true, trace: t });
    let last = 0;
    const near = picture.all || words.length ? null : nearby(mine, t, extra);
    for (const s of mine) {
      if (words.length) {
        if (!words.every((w) => `${s.kind} ${s.actor} ${s.tool} ${s.text} ${s.i === null ? "" : data.steps[s.i].text || ""}`.toLowerCase().includes(w))) continue;
        hits++;
      } else if (near && !near.has(s.n)) continue;
      if (s.n > last + 1) out.push({ gap: s.n - last - 1, trace: t, from: last + 1, told: sceneOf.has(t) && !words.length });
      out.push(s);
      last = s.n;
    }
    const end = sceneOf.has(t) ? mine.length : last;
    if (end > last && !words.length) out.push({ gap: end - last, trace: t, from: last + 1, told: true });
  }
  picture.rows = out;
  light(out);
  drawLanes();
  const left = partial ? "; of some traces only the cited steps are on this page" : "";
  traceNote.textContent = !picture.traces.length ? (data.verdicts[picture.verdict].brief ? "Its steps are left out of this page." : "This verdict cites no step.") : words.length ? `${counted(hits, "step")} of ${total.toLocaleString("en")} found${left}` : `${counted(total, "step")}${left}`;
  allSteps.parentElement.hidden = !picture.traces.some((t) => sceneOf.has(t));
  rows.show(out.length, 30, 0);
}
function nearby(mine, t, extra) {
  const near = new Set();
  const around = (n) => { for (let k = n - NEAR; k <= n + NEAR; k++) near.add(k); };
  for (const s of mine) if (s.i !== null && picture.uses.has(s.i)) around(s.n);
  const box = data.verdicts[picture.verdict].input;
  if (box && box.trace === t) for (const x of box.items || []) near.add(x.n);
  if (extra && extra.trace === t) around(extra.n);
  if (!sceneOf.has(t)) for (const s of mine) near.add(s.n);
  return near;
}
// Which agents have a lane: those of the path first seen first, then the others by how often they act.
function light(out) {
  const often = new Map(), lit = [];
  for (const s of out) {
    if (s.n === undefined) continue;
    for (const name of [s.actor, ...(s.to || [])]) if (name) often.set(name, (often.get(name) || 0) + 1);
    if (s.i !== null && picture.path.has(s.i) && s.actor && !lit.includes(s.actor)) lit.push(s.actor);
  }
  const others = [...often.keys()].filter((name) => !lit.includes(name)).sort((a, b) => often.get(b) - often.get(a));
  const names = [...lit, ...others];
  picture.names = names.length > LANES ? [...names.slice(0, LANES - 1), `${names.length - LANES + 1} others`] : names;
  picture.lane = new Map(names.map((name, k) => [name, Math.min(k, LANES - 1)]));
  let at = null; // the lane in which the path runs
  for (const s of out) {
    s.before = at;
    if (s.n !== undefined && s.i !== null && picture.path.has(s.i)) { const lane = picture.lane.get(s.actor); at = lane === undefined ? at : lane; s.onPath = true; }
    s.after = at;
  }
  let end = null; // after its last step the path is dark
  for (let k = out.length - 1; k >= 0 && end === null; k--) { if (out[k].onPath) end = k; else { out[k].before = out[k].after = null; } }
  if (end !== null) out[end].after = null;
}
function laneWidth() {
  return narrow.matches ? 15 : 22;
}
function drawLanes() {
  const w = laneWidth();
  laneNames.style.setProperty("--lanes", `${picture.names.length * w + 8}px`);
  rows.root.style.setProperty("--lanes", `${picture.names.length * w + 8}px`);
  laneNames.replaceChildren(...picture.names.map((name, k) => {
    const lit = [...picture.path].some((i) => data.steps[i].parts.some((p) => p.actor === name));
    const label = el("span", { title: name, class: lit ? "lit" : "" }, clip(name, 18));
    label.style.left = `${k * w + w / 2}px`; // by script: the page's policy allows no style attributes
    return label;
  }));
}
function lanesOf(s) {
  const w = laneWidth(), H = 30, x = (k) => k * w + w / 2 + 2, n = picture.names.length;
  const lines = picture.names.map((_, k) => svg("line", { class: "lane", x1: x(k), x2: x(k), y1: 0, y2: H }));
  const lane = s.actor ? picture.lane.get(s.actor) : undefined;
  const mine = [];
  if (s.before !== null && s.before !== undefined) mine.push(svg("line", { class: "lit", x1: x(s.before), x2: x(s.before), y1: 0, y2: s.onPath ? H / 2 : H }));
  if (s.onPath && s.before !== null && s.before !== undefined && lane !== undefined && lane !== s.before) mine.push(svg("line", { class: "lit", x1: x(s.before), x2: x(lane), y1: H / 2, y2: H / 2 }));
  if (s.onPath && s.after !== null && s.after !== undefined) mine.push(svg("line", { class: "lit", x1: x(s.after), x2: x(s.after), y1: H / 2, y2: H }));
  const arrows = s.n === undefined || lane === undefined ? [] : [...new Set((s.to || []).map((name) => picture.lane.get(name)))].filter((k) => k !== undefined && k !== lane).map((k) => {
    const d = k > lane ? -1 : 1;
    return svg("path", { class: "arrow", d: `M${x(lane)} ${H / 2} H${x(k)} m${d * 5} -4 l${-d * 5} 4 l${d * 5} 4` });
  });
  const dot = lane === undefined ? null : svg("circle", { class: "dot" + (s.onPath ? " lit" : ""), cx: x(lane), cy: H / 2, r: s.onPath ? 6 : 3 });
  return svg("svg", { class: "lanes", width: n * w + 8, height: H, "aria-hidden": "true" }, lines, mine, arrows, dot);
}
function drawRow(at, open) {
  const s = picture.rows[at];
  if (s.head) {
    const [short, whole] = data.traces[s.trace];
    return el("div", { class: "row trace-head" }, lanesOf(s), el("h3", {}, `trace ${short}`, short !== whole && el("small", { class: "id" }, ` ${whole}`)));
  }
  if (s.gap) {
    const words = `${counted(s.gap, "step")} between${s.told ? "" : ", not on this page"}`;
    return el("div", { class: "row gap" }, lanesOf(s), s.told ? el("button", { type: "button", onclick: () => showGap(s) }, words) : el("span", {}, words));
  }
  const uses = s.i === null ? [] : picture.uses.get(s.i) || [];
  const step = s.i === null ? null : data.steps[s.i];
  const gist = uses.length && uses[0].gist ? uses[0].gist : step && step.text ? step.text : s.text;
  const why = [...new Set(uses.map((u) => u.why).filter(Boolean))].join("; ");
  const button = el("button", { type: "button", "aria-expanded": String(open), onclick: () => toggleStep(at) },
    el("span", { class: "n" }, `#${s.n}`), " ", el("span", { class: "who" }, s.actor || "?"), " ", el("code", {}, s.tool || s.kind), " ",
    s.to && s.to.length > 0 && el("span", { class: "quiet" }, `to ${s.to.join(", ")} `), why && el("span", { class: "why" }, `\u2190 ${why} `), el("span", { class: "words" }, clip(gist || "", 200)));
  return el("div", { class: "row" + (uses.length ? " cited" : "") + (s.onPath ? " path" : "") + (open ? " open" : ""), id: `s${s.trace}-${s.n}`, tabindex: "-1" },
    lanesOf(s), button, open && wordsOf(s, step, uses));
}
// The words of a step, and what it is to the verdicts that cite it.
function wordsOf(s, step, uses) {
  if (!step) return el("div", { class: "said" }, el("blockquote", {}, s.text || "(no words were recorded)"), el("p", { class: "facts" }, [s.kind, "no verdict of this page cites it; its words are cut"].join(" \u00b7 ")));
  const mine = [...new Set(uses.map(partOf))];
  const first = mine.length ? mine : step.parts.slice(0, 1);
  const others = step.parts.filter((p) => !first.includes(p));
  const why = [...new Set(uses.map((u) => u.why).filter(Boolean))].map((w) => el("div", { class: "why" }, "\u2190 " + w));
  const known = [...new Set(uses.flatMap((u) => u.known || []))].map((k) => el("div", { class: "known" }, el("span", { class: "quiet" }, "known before: "), k));
  return el("div", { class: "said" },
    first.map((p, k) => partLine(step, p, k ? [] : [step.text && el("blockquote", {}, step.text), ...why, ...known])),
    citedBy(first, uses.length ? "also cited by " : "cited by "),
    others.map((p) => el("div", { class: "elsewhere" }, citedBy([p], "read differently by "), partLine(step, p, []))));
}
function partLine(s, p, told) {
  const fields = Object.entries(p.fields || {}).filter(([, value]) => !(value.includes(" ") && (s.text || "").includes(value)));
  const facts = [s.kind, p.to && `to ${p.to}`, p.call && (p.call.startsWith("call") ? p.call : `call ${p.call}`), p.when && `${p.when} UTC`].filter(Boolean);
  return [el("div", { class: "part" }, el("span", { class: "who" }, p.actor || "unknown agent"), " ", p.tool && el("code", {}, p.tool), " ", el("span", { class: "fields" }, fieldList(fields))),
    ...told, el("p", { class: "facts" }, facts.join(" \u00b7 "))];
}
function citedBy(parts, words) {
  const by = citing({ parts }).filter((v) => v !== picture.verdict);
  return by.length > 0 && el("div", { class: "facts" }, words, by.slice(0, 3).flatMap((v, k) => [k ? "; " : "", el("a", { href: `#v${v}` }, `${contractOf(data.verdicts[v]).name}, ${data.verdicts[v].instance}`)]),
    by.length > 3 && ` and ${by.length - 3} more`);
}
function showGap(s) {
  picture.all = allSteps.checked = true;
  layTrace();
  const at = picture.rows.findIndex((r) => r.trace === s.trace && r.n === s.from);
  if (at >= 0) rows.focus(at, "middle");
}
function toggleStep(at) {
  rows.expand(rows.open === at ? -1 : at);
  rows.focus(at);
}
