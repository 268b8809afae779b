// The list of verdicts, most severe first, and what is shown of it.

const state = { off: new Set(), contract: "", agent: "", query: "", shown: [], verdict: null, row: null };
const narrow = matchMedia("(max-width: 71.99rem)");

const list = new Rows("Verdicts", (at) => {
  const i = state.shown[at], v = data.verdicts[i], c = contractOf(v);
  const button = el("button", { class: "head", type: "button", id: `h${i}`, "aria-current": i === state.verdict ? "true" : undefined, onclick: () => openVerdict(i, true) },
    el("span", { class: "title" }, el("span", { class: "badge", "data-sign": signOf(v) }, LABEL[v.status] || v.status), " ", el("b", {}, c.name),
      c.risk && el("span", { class: "risk" }, c.risk), v.accepted && el("span", { class: "risk" }, "accepted"), v.isolated && el("span", { class: "risk" }, "isolated violation")),
    el("span", { class: "instance" }, v.instance),
    el("span", { class: "line" }, v.headline || v.reason || (v.gaps ? `to decide it: ${v.gaps[0].words}` : "")));
  return el("div", { class: `verdict s-${v.status}` + (i === state.verdict ? " on" : ""), id: `v${i}` }, button);
});

const shown = el("span", { class: "shown quiet", role: "status" });
const none = el("p", { class: "none", hidden: true });
const search = el("input", { type: "search", placeholder: "Search ( / )", "aria-label": "Search verdicts", oninput: soon(() => { state.query = search.value.trim().toLowerCase(); refresh(); }, 100) });
const chips = data.statuses.map(([status, label, n]) => el("button", {
  type: "button", class: `chip s-${status}`, "aria-pressed": "true",
  onclick: (e) => {
    const off = !state.off.has(status);
    if (off) state.off.add(status); else state.off.delete(status);
    e.currentTarget.setAttribute("aria-pressed", String(!off));
    refresh();
  },
}, el("b", {}, n.toLocaleString("en")), ` ${label}`));
const contracts = el("select", { "aria-label": "Contract", onchange: () => { state.contract = contracts.value; refresh(); } },
  el("option", { value: "" }, "All contracts"), data.contracts.map((c, i) => el("option", { value: String(i) }, c.name)));
const agents = el("select", { "aria-label": "Agent", onchange: () => { state.agent = agents.value; refresh(); } },
  el("option", { value: "" }, "All agents"), agentNames().map((name) => el("option", { value: name }, name)));

function refresh() {
  const words = state.query.split(/\s+/).filter(Boolean);
  const texts = words.length ? haystack() : null;
  const who = state.agent ? actorsOf() : null;
  state.shown = [];
  data.verdicts.forEach((v, i) => {
    if (state.off.has(v.status) || (state.contract && v.contract !== Number(state.contract))) return;
    if (who && !who[i].has(state.agent)) return;
    if (texts && !words.every((w) => texts[i].includes(w))) return;
    state.shown.push(i);
  });
  const all = data.verdicts.length;
  list.show(state.shown.length, 74, state.shown.indexOf(state.verdict));
  shown.textContent = state.shown.length === all ? `${all.toLocaleString("en")} verdicts` : `${state.shown.length.toLocaleString("en")} of ${all.toLocaleString("en")}`;
  none.textContent = all ? "No verdict fits these filters." : "Nothing was judged.";
  none.hidden = state.shown.length > 0;
  list.root.hidden = !none.hidden;
  if (list.at > 0) list.reveal(list.at, "middle");
}
function showAll() {
  Object.assign(state, { contract: "", agent: "", query: "" });
  state.off.clear();
  search.value = contracts.value = agents.value = "";
  chips.forEach((c) => c.setAttribute("aria-pressed", "true"));
  refresh();
}
