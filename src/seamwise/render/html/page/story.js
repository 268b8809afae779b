// The story of one verdict: what happened, what was known, what would decide it, what it rests on.

const storyBody = el("div", { class: "body" });
const story = el("section", { class: "pane story", id: "story", "aria-label": "The verdict", tabindex: "-1" }, storyBody);

function part(title, ...content) {
  return el("section", {}, el("h3", {}, title), ...content);
}
function stepLink(i, verdict) {
  const s = data.steps[i];
  return jumpLink(s.trace, s.n, verdict, place(s), i);
}
function jumpLink(trace, n, verdict, words, i) {
  const hash = `#v${verdict}/${trace}/${n}`;
  const follow = (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    if (location.hash !== hash) history.pushState(null, "", hash);
    openStep(trace, n, e.currentTarget);
  };
  return el("a", { href: hash, class: "id", "data-step": i, onclick: follow }, words);
}
function fieldList(fields) {
  return (fields || []).map(([name, value]) => name === "amount" ? el("span", { class: "amount" }, value) : el("span", {}, el("span", { class: "quiet" }, name + " "), value));
}
function stepLine(use, verdict) {
  const s = data.steps[use.step], p = partOf(use);
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
const AT_ONCE = 100; // steps of a story that are drawn without being asked for
function steps(uses, verdict) {
  if (!uses || !uses.length) return null;
  const drawn = el("ol", { class: "steps" }, uses.slice(0, AT_ONCE).map((u) => stepLine(u, verdict)));
  if (uses.length <= AT_ONCE) return drawn;
  let n = AT_ONCE;
  const more = el("button", { type: "button", class: "more", onclick: () => {
    const next = uses.slice(n, n + AT_ONCE).map((u) => stepLine(u, verdict));
    n += next.length;
    drawn.append(...next);
    next[0].querySelector("a").focus();
    if (n >= uses.length) more.remove(); else more.textContent = said();
  } });
  const said = () => `${counted(uses.length - n, "more step")}: show ${Math.min(AT_ONCE, uses.length - n)}`;
  more.textContent = said();
  return [drawn, more];
}
function inputOf(v, index) {
  const box = v.input;
  if (!box) return null;
  return part(`What was in ${box.actor}'s input at #${box.n}`,
    el("p", { class: "quiet" }, [box.whole ? "The recording says that the model's input is complete." : "As far as it was recorded.",
      box.skipped ? ` ${counted(box.skipped, "earlier thing")} not told.` : ""]),
    el("ol", { class: "inbox", tabindex: "0", "aria-label": `Input of ${box.actor}` }, (box.items || []).map((x) => el("li", { class: `role-${/^[a-z_]+$/.test(x.kind) ? x.kind : "item"}` },
      el("div", {}, el("b", {}, x.kind), x.source && el("span", { class: "quiet" }, ` ${x.source}`), " ", jumpLink(box.trace, x.n, index, `#${x.n}`)),
      el("div", { class: "words" }, x.text || "(no words)")))));
}
const isApart = (note) => note.tag === "isolated violation";
function drawStory(index) {
  const v = data.verdicts[index], c = contractOf(v);
  const text = (n) => data.texts[n || 0];
  const lean = text(v.leaning);
  const facts = [`kind ${c.kind}`, v.read ? counted(v.read, "record") + " read" : "", text(v.order) ? `order told by ${text(v.order)}` : "", v.optional ? "not required" : ""];
  storyBody.replaceChildren(...[
    el("button", { type: "button", class: "back", onclick: goBack }, "\u2190 Verdicts"),
    el("header", { class: `s-${v.status}` }, el("h2", { id: "story-title" },
      el("span", { class: "badge", "data-sign": signOf(v) }, LABEL[v.status] || v.status), " ", c.name, " ", c.risk && el("span", { class: "risk" }, c.risk)),
      el("p", { class: "instance" }, v.instance), v.headline && el("p", { class: "headline" }, v.headline), v.accepted && el("p", { class: "lean" }, v.accepted)),
    v.status === "ruled_out" && v.isolated && part(v.isolated.length > 1 ? "Isolated violations" : "Isolated violation", v.isolated.map((words) => el("p", {}, words)),
      (v.notes || []).filter(isApart).map((n) => steps(n.steps, index))),
    v.status === "not_judged" && el("p", {}, "The contract failed on this instance; the others stand. ", el("code", {}, v.reason || "no error was kept")),
    v.status !== "not_judged" && v.reason && el("p", {}, v.reason),
    (c.quote || c.doc) && el("blockquote", { class: "policy" }, c.quote ? "\u201c" + c.quote + "\u201d" : "", c.doc && el("cite", {}, c.doc)),
    v.steps && part(v.status === "supported" ? "What happened" : "What shows it", steps(v.steps, index)),
    v.others && part("Counted too, and not needed for the proof", steps(v.others, index)),
    chartOf(v, index),
    inputOf(v, index),
    (v.clashes || []).map((x) => part("These contradict one another", el("p", {}, x.words), steps(x.steps, index))),
    v.gaps && part(v.gaps.length > 1 ? "To decide it, any one of" : "To decide it", el("ul", { class: "todo" }, v.gaps.map((g) => el("li", {},
      el("label", {}, el("input", { type: "checkbox" }), el("span", {}, g.words, el("span", { class: "tag" }, g.tag))), steps(g.steps, index))))),
    lean && el("p", { class: "lean" }, lean[0].toUpperCase() + lean.slice(1)),
    v.claims && part("Resting on", el("ul", { class: "plain" }, v.claims.map((n) => el("li", {}, text(n))))),
    v.dropped && part("Dropped, since records refute it", el("ul", { class: "plain" }, v.dropped.map((d) => el("li", {}, d)))),
    v.weightless && part(v.weightless.some((x) => x.why) ? "Without weight" : "Without weight: their word does not count here",
      steps(v.weightless, index)),
    (v.notes || []).filter((n) => v.status !== "ruled_out" || !isApart(n)).map((n) => part(n.tag[0].toUpperCase() + n.tag.slice(1), n.words && el("p", {}, n.words), steps(n.steps, index))),
    v.brief && el("p", { class: "quiet" }, "The steps of this verdict are left out of the page; the result file has them."),
    el("p", { class: "facts" }, facts.filter(Boolean).join(" \u00b7 ")),
  ].flat(2).filter(Boolean));
  story.scrollTop = 0;
}
