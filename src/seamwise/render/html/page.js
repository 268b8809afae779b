"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SIGNS = { supported: "\u25cf", measurement_invalid: "\u2260", not_judged: "!", unknown: "?", ruled_out: "\u2713", not_applicable: "\u2013" };
  const LABEL = Object.fromEntries(data.statuses.map(([status, label]) => [status, label]));
  const CHUNK = 60;
  const SVG = "http://www.w3.org/2000/svg";
  const app = document.getElementById("app");
  const wide = matchMedia("(min-width: 62rem)");

  // Every word of a recording becomes a text node or an attribute; nothing is ever parsed as HTML.
  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    return fill(node, attributes, children);
  }
  function svg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
  }
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === false || value === null) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false && c !== ""));
    return node;
  }

  const byTrace = new Map();
  data.steps.forEach((step, i) => {
    if (!byTrace.has(step.trace)) byTrace.set(step.trace, []);
    byTrace.get(step.trace).push(i);
  });
  for (const places of byTrace.values()) places.sort((a, b) => data.steps[a].n - data.steps[b].n || a - b);

  const state = { off: new Set(), contract: "", query: "", shown: [], drawn: 0, here: null, verdict: null, opener: null };

  // ---- the story of a verdict

  // One step can serve two streams, with another actor and other fields in each: a use says which part is meant.
  function partOf(use) {
    return data.steps[use.step].parts[use.part || 0];
  }
  function place(step) {
    return `${data.traces[step.trace][0]} #${step.n}`;
  }
  function stepLink(i, verdict) {
    const follow = (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      if (location.hash !== `#s${i}`) history.pushState(null, "", `#s${i}`);
      openStep(i, verdict, e.currentTarget);
    };
    return el("a", { href: `#s${i}`, class: "id", "data-step": i, onclick: follow }, place(data.steps[i]));
  }
  function fieldList(fields) {
    return (fields || []).map(([name, value]) => name === "amount" ? el("span", { class: "amount" }, value) : el("span", {}, el("span", { class: "quiet" }, name + " "), value));
  }
  function stepLine(use, verdict) {
    const s = data.steps[use.step];
    const p = partOf(use);
    const words = use.gist === undefined ? s.text : use.gist;
    return el("li", { class: "step" + (use.why ? " marked" : "") },
      el("div", { class: "at" }, stepLink(use.step, verdict), p.when && el("time", { datetime: p.when.replace(" ", "T") + "Z" }, p.when.slice(0, 16))),
      el("div", {},
        el("span", { class: "who" }, p.actor || "unknown agent"), " ",
        el("code", {}, p.tool || s.kind), " ",
        el("span", { class: "fields" }, fieldList(use.fields)),
        words && el("div", { class: "words" }, "\u201c" + clip(words, 240) + "\u201d"),
        use.why && el("div", { class: "why" }, "\u2190 " + use.why),
        (use.known || []).map((k) => el("div", { class: "known" }, el("span", { class: "quiet" }, `known to ${p.actor || "its actor"} before: `), k))));
  }
  function clip(text, n) {
    return text.length > n ? text.slice(0, n - 1) + "\u2026" : text;
  }
  function steps(uses, verdict) {
    return uses && uses.length ? el("ol", { class: "steps" }, uses.map((u) => stepLine(u, verdict))) : null;
  }
  function part(title, ...content) {
    return el("section", {}, el("h3", {}, title), ...content);
  }

  function chart(v, verdict) {
    if (!v.chart) return null;
    const totals = v.chart.totals.map(Number);
    const limit = v.chart.limit ? Number(v.chart.limit) : null;
    const top = Math.max(...totals, limit || 0) * 1.12 || 1;
    const W = 560, H = 150, L = 8, R = 52, T = 14, B = 22;
    const dx = (W - L - R) / totals.length;
    const y = (value) => T + (H - T - B) * (1 - Math.max(0, value) / top);
    let line = `M${L} ${y(0)}`;
    totals.forEach((t, i) => { line += ` H${L + dx * (i + 0.5)} V${y(t)}`; });
    line += ` H${W - R}`;
    const said = `Running total over ${totals.length} steps: ${v.chart.totals.join(", ")}` + (limit !== null ? `; limit ${v.chart.limit}` : "");
    const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": said },
      svg("line", { class: "axis", x1: L, x2: W - R, y1: y(0), y2: y(0) }),
      svg("path", { class: "area", d: `${line} V${y(0)} Z` }),
      svg("path", { class: "total", d: line }),
      limit !== null && svg("line", { class: "limit", x1: L, x2: W - R, y1: y(limit), y2: y(limit) }),
      limit !== null && svg("text", { class: "limit-text", x: W - R + 6, y: y(limit) + 4 }, `limit ${v.chart.limit}`.replace("limit ", "\u2264 ")),
      totals.map((t, i) => {
        const x = L + dx * (i + 0.5);
        return svg("g", { class: limit !== null && t > limit ? "over" : "" },
          svg("circle", { cx: x, cy: y(t), r: 4 }),
          svg("text", { x: x, y: y(t) - 8, "text-anchor": "middle" }, v.chart.totals[i]),
          svg("text", { x: x, y: H - 7, "text-anchor": "middle" }, clip(partOf(v.steps[i]).actor || "?", Math.max(4, Math.floor(dx / 7)))));
      }));
    return part("Running total", el("div", { class: "chart" }, picture));
  }

  function body(v, index) {
    return el("div", { class: "body", id: `b${index}` },
      v.status === "not_judged" && el("p", {}, "The contract failed on this instance; the others stand. ", el("code", {}, v.reason || "no error was kept")),
      v.status !== "not_judged" && v.reason && el("p", {}, v.reason),
      (v.quote || v.doc) && el("blockquote", { class: "policy" }, v.quote ? "\u201c" + v.quote + "\u201d" : "", v.doc && el("cite", {}, v.doc)),
      v.steps && part(v.status === "supported" ? "What happened" : "What shows it", steps(v.steps, index)),
      v.others && part("Counted too, and not needed for the proof", steps(v.others, index)),
      chart(v, index),
      (v.clashes || []).map((c) => part("These contradict one another", el("p", {}, c.words), steps(c.steps, index))),
      v.gaps && part(v.gaps.length > 1 ? "To decide it, any one of" : "To decide it", el("ul", { class: "todo" }, v.gaps.map((g) => el("li", {},
        el("label", {}, el("input", { type: "checkbox" }), el("span", {}, g.words, el("span", { class: "tag" }, g.tag))), steps(g.steps, index))))),
      v.leaning && el("p", { class: "lean" }, v.leaning[0].toUpperCase() + v.leaning.slice(1)),
      v.claims && part("Resting on", el("ul", { class: "plain" }, v.claims.map((c) => el("li", {}, c)))),
      v.dropped && part("Dropped, since records refute it", el("ul", { class: "plain" }, v.dropped.map((d) => el("li", {}, d)))),
      v.weightless && part("Without weight: their writers have no authority over it", steps(v.weightless, index)),
      (v.notes || []).map((n) => part(n.tag[0].toUpperCase() + n.tag.slice(1), n.words && el("p", {}, n.words), steps(n.steps, index))),
      el("p", { class: "facts" }, [`kind ${v.kind}`, v.read ? `${v.read} records read` : "", v.order ? `order told by ${v.order}` : "", v.optional ? "not required" : ""].filter(Boolean).join(" \u00b7 ")));
  }

  function card(index) {
    const v = data.verdicts[index];
    const button = el("button", { class: "head", type: "button", "aria-expanded": "false", id: `h${index}`, onclick: () => toggle(index) },
      el("span", { class: "badge", "data-sign": SIGNS[v.status] }, LABEL[v.status] || v.status),
      el("span", { class: "title" }, el("b", {}, v.contract), v.risk && el("span", { class: "risk" }, v.risk), el("span", { class: "instance" }, v.instance)),
      v.headline && el("span", { class: "line" }, v.headline));
    return el("article", { class: `verdict s-${v.status}`, id: `v${index}` }, el("h2", {}, button));
  }

  function toggle(index, want) {
    const article = document.getElementById(`v${index}`);
    if (!article) return;
    const button = article.querySelector(".head");
    const open = want === undefined ? button.getAttribute("aria-expanded") !== "true" : want;
    button.setAttribute("aria-expanded", String(open));
    article.classList.toggle("open", open);
    const old = article.querySelector(".body");
    if (old && !open) old.remove();
    if (!old && open) {
      article.append(body(data.verdicts[index], index));
      button.setAttribute("aria-controls", `b${index}`);
    }
    if (open) drawPanel(index, null);
  }

  // ---- the panel of traces

  const panelTitle = el("h2", { id: "panel-title" }, "Traces");
  const panelBody = el("div", {});
  const panel = el("aside", { class: "panel", "aria-labelledby": "panel-title", tabindex: "-1" },
    el("header", {}, panelTitle, el("button", { type: "button", class: "close", onclick: closePanel }, "Close")), panelBody);

  function usesOf(v) {
    const told = [...(v.clashes || []), ...(v.gaps || []), ...(v.notes || [])].flatMap((x) => x.steps || []);
    return [...(v.steps || []), ...(v.others || []), ...told, ...(v.weightless || [])];
  }
  function drawPanel(verdict, step) {
    const uses = verdict === null ? [] : usesOf(data.verdicts[verdict]);
    const mine = new Map();
    for (const u of uses) mine.set(u.step, [...(mine.get(u.step) || []), u]);
    const traces = [...new Set(uses.map((u) => data.steps[u.step].trace))];
    if (step !== null && !traces.includes(data.steps[step].trace)) traces.splice(0, traces.length, data.steps[step].trace);
    state.verdict = verdict;
    panelTitle.textContent = traces.length === 1 ? "Trace" : traces.length ? `Traces (${traces.length})` : "Traces";
    const hint = verdict === null ? "Choose a verdict, then a step: it is shown here at its place in its trace." : "This verdict cites no step.";
    panelBody.replaceChildren(...(traces.length ? traces.map((t) => traceOf(t, mine, step)) : [el("p", { class: "hint" }, hint)]));
  }
  function traceOf(trace, mine, step) {
    const [short, whole] = data.traces[trace];
    const items = [];
    let last = null;
    for (const i of byTrace.get(trace) || []) {
      const s = data.steps[i];
      if (last !== null && s.n > last + 1) items.push(el("li", { class: "skipped" }, s.n - last === 2 ? "1 step between, not cited" : `${s.n - last - 1} steps between, not cited`));
      last = s.n;
      items.push(placeOf(i, s, mine.get(i) || [], i === step));
    }
    return el("section", { class: "trace" }, el("h3", {}, `trace ${short}`, short !== whole && el("small", { class: "id" }, whole)), el("ol", {}, items));
  }
  function citing(step) {
    return [...new Set(step.parts.flatMap((p) => p.by || []))].sort((a, b) => a - b);
  }
  function partLine(s, p, told) {
    const fields = Object.entries(p.fields || {}).filter(([, value]) => !(value.includes(" ") && (s.text || "").includes(value)));
    const facts = [s.kind, p.to && `to ${p.to}`, p.call && (p.call.startsWith("call") ? p.call : `call ${p.call}`), p.when && `${p.when} UTC`].filter(Boolean);
    return [el("div", { class: "part" }, el("span", { class: "who" }, p.actor || "unknown agent"), " ", p.tool && el("code", {}, p.tool), " ", el("span", { class: "fields" }, fieldList(fields))),
      ...told, el("div", { class: "facts" }, facts.join(" \u00b7 "))];
  }
  function citedBy(s, parts, words) {
    const by = citing({ parts }).filter((v) => v !== state.verdict);
    return by.length > 0 && el("div", { class: "cited" }, words, by.slice(0, 3).flatMap((v, k) => [k ? "; " : "", el("a", { href: `#v${v}` }, `${data.verdicts[v].contract}, ${data.verdicts[v].instance}`)]),
      by.length > 3 && ` and ${by.length - 3} more`);
  }
  function placeOf(i, s, uses, here) {
    const mine = [...new Set(uses.map(partOf))];
    const first = mine.length ? mine : s.parts.slice(0, 1);
    const others = s.parts.filter((p) => !first.includes(p));
    const why = [...new Set(uses.map((u) => u.why).filter(Boolean))].map((w) => el("div", { class: "why" }, "\u2190 " + w));
    return el("li", { class: "place" + (uses.length ? "" : " other") + (here ? " here" : ""), id: `s${i}`, tabindex: "-1", "data-n": s.n, "aria-current": here ? "step" : undefined },
      first.map((p, k) => partLine(s, p, k ? [] : [s.text && el("blockquote", {}, s.text), ...why])),
      citedBy(s, first, uses.length ? "also cited by " : "cited by "),
      others.map((p) => el("div", { class: "elsewhere" }, citedBy(s, [p], "read differently by "), partLine(s, p, []))));
  }
  function openStep(i, verdict, opener) {
    state.opener = opener || state.opener;
    state.here = i;
    drawPanel(verdict, i);
    panel.classList.add("on");
    const target = document.getElementById(`s${i}`);
    const away = target.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    panel.scrollTop += away - Math.max(56, (panel.clientHeight - target.offsetHeight) / 3);
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
  }
  function closePanel() {
    panel.classList.remove("on");
    if (state.opener && state.opener.isConnected) state.opener.focus();
  }

  // ---- the list

  const list = el("section", { class: "list", "aria-label": "Verdicts" });
  const sentinel = el("div", { "aria-hidden": "true" });
  const shown = el("span", { class: "shown quiet", role: "status" });
  const search = el("input", { type: "search", placeholder: "Search ( / )", "aria-label": "Search verdicts", oninput: debounce(() => { state.query = search.value.trim().toLowerCase(); refresh(); }, 120) });

  let hay = null;
  function haystack() {
    if (hay === null) {
      hay = data.verdicts.map((v) => [v.contract, v.instance, v.kind, v.risk, LABEL[v.status], v.headline, v.quote, v.reason, v.leaning,
        ...(v.gaps || []).map((g) => g.words), ...usesOf(v).flatMap((u) => {
          const s = data.steps[u.step];
          const p = partOf(u);
          return [place(s), p.actor, p.tool, p.call, s.text, ...(u.fields || []).map((f) => f[1])];
        })].filter(Boolean).join("\n").toLowerCase());
    }
    return hay;
  }
  function verdictWords() {
    const n = Object.fromEntries(data.statuses.map(([status, , count]) => [status, count]));
    const open = (n.measurement_invalid || 0) + (n.not_judged || 0) + (n.unknown || 0);
    if (n.supported) return `The records support ${n.supported === 1 ? "a violation" : n.supported.toLocaleString("en") + " violations"}`;
    return "The records support no violation" + (open ? `; ${open.toLocaleString("en")} ${open === 1 ? "is" : "are"} not decided` : "");
  }
  function refresh() {
    const words = state.query.split(/\s+/).filter(Boolean);
    const texts = words.length ? haystack() : null;
    state.shown = [];
    data.verdicts.forEach((v, i) => {
      if (state.off.has(v.status) || (state.contract && v.contract !== state.contract)) return;
      if (texts && !words.every((w) => texts[i].includes(w))) return;
      state.shown.push(i);
    });
    state.drawn = 0;
    list.replaceChildren();
    more();
    const all = data.verdicts.length;
    shown.textContent = state.shown.length === all ? `${all.toLocaleString("en")} verdicts` : `${state.shown.length.toLocaleString("en")} of ${all.toLocaleString("en")}`;
    if (!state.shown.length) list.append(el("p", { class: "none" }, all ? "No verdict fits these filters." : "Nothing was judged."));
  }
  function more(upTo) {
    const end = Math.min(state.shown.length, Math.max(state.drawn + CHUNK, upTo || 0));
    const fragment = document.createDocumentFragment();
    for (let i = state.drawn; i < end; i++) fragment.append(card(state.shown[i]));
    state.drawn = end;
    list.append(fragment);
  }
  function debounce(f, ms) {
    let timer = 0;
    return () => { clearTimeout(timer); timer = setTimeout(f, ms); };
  }

  function goTo(at) {
    if (at < 0 || at >= state.shown.length) return;
    if (at >= state.drawn) more(at + CHUNK);
    const head = document.getElementById(`h${state.shown[at]}`);
    head.focus({ preventScroll: true });
    head.scrollIntoView({ block: "nearest" });
  }
  function current() {
    const article = document.activeElement && document.activeElement.closest ? document.activeElement.closest(".verdict") : null;
    return article ? state.shown.indexOf(Number(article.id.slice(1))) : -1;
  }
  document.addEventListener("keydown", (e) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "checkbox";
    if (e.key === "Escape") {
      if (panel.classList.contains("on") && !wide.matches) closePanel();
      else if (typing) { if (e.target === search && search.value) { search.value = ""; state.query = ""; refresh(); } e.target.blur(); }
      else if (state.opener && panel.contains(document.activeElement)) closePanel();
      return;
    }
    if (typing && e.target === search && (e.key === "Enter" || e.key === "ArrowDown")) { e.preventDefault(); goTo(0); return; }
    if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
    const onHead = document.activeElement && document.activeElement.classList.contains("head");
    if (e.key === "/") { e.preventDefault(); search.focus(); search.select(); }
    else if (e.key === "j" || (e.key === "ArrowDown" && onHead)) { e.preventDefault(); goTo(current() + 1); }
    else if (e.key === "k" || (e.key === "ArrowUp" && onHead)) { e.preventDefault(); goTo(Math.max(0, current() - 1)); }
  });

  function route() {
    const found = /^#([sv])(\d+)$/.exec(location.hash);
    if (!found) return false;
    const i = Number(found[2]);
    if (found[1] === "s" && i < data.steps.length) {
      if (state.here !== i || !document.getElementById(`s${i}`)) {
        const by = citing(data.steps[i]);
        openStep(i, by.includes(state.verdict) ? state.verdict : by.length ? by[0] : null, null);
      }
      return true;
    }
    if (found[1] === "v" && i < data.verdicts.length) {
      if (!state.shown.includes(i)) { state.off.clear(); state.contract = ""; state.query = ""; search.value = ""; select.value = ""; chips.forEach((c) => c.setAttribute("aria-pressed", "true")); refresh(); }
      const at = state.shown.indexOf(i);
      if (at >= state.drawn) more(at + 1);
      panel.classList.remove("on");
      toggle(i, true);
      goTo(at);
      document.getElementById(`v${i}`).scrollIntoView({ block: "start" });
      return true;
    }
    return false;
  }

  // ---- the page

  const chips = data.statuses.map(([status, label, n]) => el("button", {
    type: "button", class: `chip s-${status}`, "aria-pressed": "true",
    onclick: (e) => {
      const off = !state.off.has(status);
      if (off) state.off.add(status); else state.off.delete(status);
      e.currentTarget.setAttribute("aria-pressed", String(!off));
      refresh();
    },
  }, el("b", {}, n.toLocaleString("en")), ` ${label}`));
  const select = el("select", { "aria-label": "Contract", onchange: () => { state.contract = select.value; refresh(); } },
    el("option", { value: "" }, "All contracts"), data.contracts.map((c) => el("option", { value: c }, c)));

  app.append(
    el("a", { class: "skip", href: "#list" }, "Skip to the verdicts"),
    el("header", { class: "top" },
      el("h1", {}, verdictWords()),
      el("p", {}, data.read),
      data.masked && el("p", {}, data.masked),
      data.problems.length > 0 && el("details", { class: "problems", open: data.problems.length < 4 },
        el("summary", {}, data.problems.length === 1 ? "1 thing needs a look: it was not read, or met nothing" : `${data.problems.length} things need a look: they were not read, or met nothing`),
        el("ul", {}, data.problems.map((p) => el("li", {}, p))))),
    el("nav", { class: "bar", "aria-label": "Filters" }, el("div", {},
      el("div", { class: "chips", role: "group", "aria-label": "Verdicts shown" }, chips), data.contracts.length > 1 && select, search, shown)),
    el("main", { class: "work", id: "list" },
      el("div", { class: "list" },
        list, sentinel,
        data.useful.length > 0 && el("section", { class: "overview" }, el("h2", {}, "One thing, several answers"),
          el("ul", { class: "todo" }, data.useful.map(([words, does]) => el("li", {}, el("label", {}, el("input", { type: "checkbox" }), el("span", {}, words, el("span", { class: "tag" }, does)))))))),
      panel),
    el("footer", {}, el("kbd", {}, "j"), " ", el("kbd", {}, "k"), " next and previous verdict, ", el("kbd", {}, "Enter"), " opens it, ", el("kbd", {}, "/"), ` searches, `, el("kbd", {}, "Esc"), ` goes back. Seamwise ${data.version}`));

  drawPanel(null, null);
  refresh();
  new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting) && state.drawn < state.shown.length) more(); }, { rootMargin: "800px" }).observe(sentinel);
  addEventListener("hashchange", route);
  if (!route() && data.verdicts.length && ["supported", "measurement_invalid", "unknown"].includes(data.verdicts[0].status)) toggle(0, true);
})();
