// The page itself: panes, routes and keys.

const app = document.getElementById("app");
const work = el("main", { class: "work", id: "list" });
let opener = null;

function view(name) {
  app.dataset.view = name; // on a narrow page one pane is seen at a time
  if (narrow.matches) scrollTo(0, 0);
}
function openVerdict(i, go) {
  const before = state.verdict;
  if (before !== i) {
    state.verdict = i;
    for (const v of [before, i]) {
      const at = v === null ? -1 : state.shown.indexOf(v);
      if (at >= 0) list.redraw(at);
    }
    list.at = Math.max(0, state.shown.indexOf(i));
    list.update();
    drawStory(i);
    drawTrace(i);
  }
  if (go) {
    if (location.hash !== `#v${i}`) history.pushState(null, "", `#v${i}`);
    view("story");
    story.focus({ preventScroll: true });
  }
}
function openStep(t, n, from) {
  opener = from || null;
  if (t >= data.traces.length) return;
  if (!picture.traces.includes(t)) picture.traces.push(t);
  let at = picture.rows.findIndex((r) => r.trace === t && r.n === n);
  if (at < 0) {
    picture.query = find.value = "";
    layTrace({ trace: t, n });
    at = picture.rows.findIndex((r) => r.trace === t && r.n === n);
  }
  if (at < 0) return;
  view("trace");
  rows.expand(at);
  rows.reveal(at, "middle");
  const node = document.getElementById(`s${t}-${n}`);
  if (node) node.focus({ preventScroll: true });
  if (!narrow.matches) trace.scrollIntoView({ block: "nearest" });
}
// From a step to the link that led there, from a verdict to the list.
function goBack() {
  const inTrace = trace.contains(document.activeElement) || (narrow.matches && app.dataset.view === "trace");
  if (inTrace) {
    view("story");
    const to = opener && opener.isConnected ? opener : story;
    to.focus();
    to.scrollIntoView({ block: "nearest" });
    return;
  }
  view("list");
  const at = state.shown.indexOf(state.verdict);
  list.update();
  list.focus(at < 0 ? list.at : at);
}
document.addEventListener("keydown", (e) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "checkbox";
  if (e.key === "Escape") {
    if (typing && e.target.value && e.target.type === "search") { e.target.value = ""; e.target.dispatchEvent(new Event("input")); }
    else if (typing && !trace.contains(e.target)) list.focus(list.at);
    else goBack();
    return;
  }
  if (typing) {
    if (e.target === search && (e.key === "Enter" || e.key === "ArrowDown")) { e.preventDefault(); list.focus(0); }
    if (e.target === find && (e.key === "Enter" || e.key === "ArrowDown")) { e.preventDefault(); rows.focus(picture.rows.findIndex((r) => r.n !== undefined)); }
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "/") { e.preventDefault(); search.focus(); search.select(); }
  else if (e.key === "f") { e.preventDefault(); view("trace"); find.focus(); }
  else if (e.key === "j" || e.key === "k") {
    e.preventDefault();
    const here = trace.contains(document.activeElement) ? rows : list;
    here.focus(document.activeElement === document.body || here.root.contains(document.activeElement) ? here.at + (here.root.contains(document.activeElement) ? (e.key === "j" ? 1 : -1) : 0) : here.at);
  }
});

// #v3 is a verdict, #v3/2/26 the 26th step of the page's trace 2 as that verdict shows it.
function route() {
  const found = /^#v(\d+)(?:\/(\d+)\/(\d+))?$/.exec(location.hash);
  if (!found || Number(found[1]) >= data.verdicts.length) return false;
  const i = Number(found[1]);
  if (!state.shown.includes(i)) showAll();
  openVerdict(i, false);
  list.reveal(state.shown.indexOf(i), "middle");
  if (found[2] !== undefined) openStep(Number(found[2]), Number(found[3]), null);
  else { view("story"); story.focus({ preventScroll: true }); }
  return true;
}
function verdictWords() {
  const n = Object.fromEntries(data.statuses.map(([status, , count]) => [status, count]));
  const open = (n.measurement_invalid || 0) + (n.not_judged || 0) + (n.unknown || 0);
  if (!data.verdicts.length) return "Nothing was judged";
  if (n.supported) return `The records support ${n.supported === 1 ? "a violation" : n.supported.toLocaleString("en") + " violations"}`;
  const apart = data.verdicts.filter((v) => v.status === "ruled_out" && v.isolated).length;
  const most = apart ? `No contract is broken as it asks, but ${apart.toLocaleString("en")} ${apart === 1 ? "verdict shows" : "verdicts show"} an isolated violation` : "The records support no violation";
  return most + (open ? `; ${open.toLocaleString("en")} ${open === 1 ? "is" : "are"} not decided` : "");
}

work.append(
  el("section", { class: "pane list-pane", "aria-label": "Verdicts" }, list.root, none),
  story, trace);
app.dataset.view = "list";
app.append(
  el("a", { class: "skip", href: "#list", onclick: (e) => { e.preventDefault(); list.focus(list.at); } }, "Skip to the verdicts"),
  el("header", { class: "top" },
    el("h1", {}, verdictWords()),
    el("p", {}, data.read),
    data.notes.map((words) => el("p", {}, words)),
    data.left_out && el("p", {}, data.left_out),
    data.problems.length > 0 && el("details", { class: "problems", open: data.problems.length < 4 },
      el("summary", {}, data.problems.length === 1 ? "1 thing needs a look: it was not read, or met nothing" : `${data.problems.length} things need a look: they were not read, or met nothing`),
      el("ul", {}, data.problems.slice(0, 200).map((p) => el("li", {}, p))),
      data.problems.length > 200 && el("p", {}, `and ${(data.problems.length - 200).toLocaleString("en")} more`)),
    data.useful.length > 0 && el("details", { class: "overview" }, el("summary", {}, "One thing, several answers"),
      el("ul", { class: "todo" }, data.useful.map(([words, does]) => el("li", {}, el("label", {}, el("input", { type: "checkbox" }), el("span", {}, words, el("span", { class: "tag" }, does)))))))),
  el("nav", { class: "bar", "aria-label": "Filters" }, el("div", {},
    el("div", { class: "chips", role: "group", "aria-label": "Verdicts shown" }, chips), data.contracts.length > 1 && contracts, agents.options.length > 2 && agents, search, shown)),
  work,
  el("footer", {}, el("kbd", {}, "j"), " ", el("kbd", {}, "k"), " or arrows: next and previous, ", el("kbd", {}, "Enter"), " opens, ", el("kbd", {}, "Esc"), " goes back, ", el("kbd", {}, "/"), " searches verdicts, ", el("kbd", {}, "f"), ` finds a step. Seamwise ${data.version}`));

refresh();
addEventListener("hashchange", route);
narrow.addEventListener("change", () => { if (state.verdict !== null) layTrace(); list.update(); });
if (!data.verdicts.length) story.hidden = trace.hidden = true;
else if (!route()) openVerdict(0, false);
