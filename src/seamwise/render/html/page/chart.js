// A key's running sum against its limit; the sums are the audit's.

function chartOf(v, index) {
  const c = v.chart;
  if (!c) return null;
  const unit = c.unit ? ` ${c.unit}` : "";
  const totals = c.lines.map((x) => Number(x.total));
  const limit = Number(c.limit);
  // a contribution of which it is not recorded whether it counts is drawn where the sum would be with it
  const marks = c.lines.map((a, i) => totals[i] + (a.state === "open" ? Number(a.amount || 0) : 0));
  const least = Math.min(0, ...totals), top = Math.max(limit, ...marks) * 1.15 || 1;
  const W = 620, H = 180, L = 10, R = 70, T = 18, B = 24;
  const dx = (W - L - R) / totals.length;
  const x = (i) => L + dx * (i + 0.5);
  const y = (value) => T + (H - T - B) * (1 - (value - least) / (top - least));
  let line = `M${L} ${y(c.skipped && totals.length ? totals[0] - Number(c.lines[0].amount || 0) : 0)}`;
  totals.forEach((t, i) => { line += ` H${x(i)} V${y(t)}`; });
  line += ` H${W - R}`;
  const few = totals.length <= 24;
  const word = (a, i) => i === c.crossing ? "crosses the limit" : a.state === "open" ? "its end is not recorded" : a.state === "apart" ? "not in the sum" : "";
  const point = (a, i) => {
    const label = a.state === "open" ? `+${a.amount || ""}?` : a.total;
    const mark = (i === c.crossing ? "cross" : totals[i] > limit ? "over" : "") + (a.state ? ` ${a.state}` : "");
    return svg("g", { class: mark },
      marks[i] !== totals[i] && svg("line", { class: "maybe", x1: x(i), x2: x(i), y1: y(totals[i]), y2: y(marks[i]) }),
      svg("circle", { cx: x(i), cy: y(marks[i]), r: few || i === c.crossing ? 4.5 : 2 }),
      (few || i === c.crossing) && svg("text", { x: x(i), y: y(marks[i]) - 9, "text-anchor": "middle" }, label),
      few && svg("text", { x: x(i), y: H - 7, "text-anchor": "middle" }, clip(partOf(a).actor || "?", Math.max(3, Math.floor(dx / 7)))));
  };
  const end = totals.length ? c.lines[totals.length - 1].total : "0";
  const said = `Running sum over ${counted(totals.length, "step")}, ends at ${end}${unit}; the limit is ${c.limit}${unit}` +
    (c.crossing >= 0 ? `; ${partOf(c.lines[c.crossing]).actor || "somebody"} crosses it at ${c.lines[c.crossing].total}` : "");
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": said },
    svg("line", { class: "axis", x1: L, x2: W - R, y1: y(0), y2: y(0) }),
    svg("path", { class: "area", d: `${line} V${y(0)} H${L} Z` }),
    svg("path", { class: "total", d: line }),
    svg("line", { class: "limit", x1: L, x2: W - R, y1: y(limit), y2: y(limit) }),
    svg("text", { class: "limit-text", x: W - R + 6, y: y(limit) + 4 }, `limit ${c.limit}`),
    c.crossing >= 0 && svg("line", { class: "crossing", x1: x(c.crossing), x2: x(c.crossing), y1: T, y2: y(0) }),
    c.lines.map(point));
  const table = el("details", {}, el("summary", {}, `The ${counted(totals.length, "line")} of it`), el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ["step", "agent", "amount", "sum", ""].map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, c.lines.map((a, i) => el("tr", { class: i === c.crossing ? "cross" : "" },
      el("td", {}, stepLink(a.step, index)), el("td", {}, partOf(a).actor || "unknown agent"), el("td", { class: "num" }, a.amount || "not recorded"),
      el("td", { class: "num" }, a.total), el("td", {}, word(a, i))))))));
  return part(`Running sum${unit ? ` in${unit}` : ""}`, el("div", { class: "chart" }, picture),
    c.skipped > 0 && el("p", { class: "quiet" }, `${counted(c.skipped, "earlier contribution")} in the sum, not drawn`), table);
}
