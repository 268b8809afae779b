// The page's data, laid out for questions; every verdict and number in it is the audit's.

const data = JSON.parse(document.getElementById("data").textContent);
const SIGNS = { supported: "\u25cf", measurement_invalid: "\u2260", not_judged: "!", unknown: "?", ruled_out: "\u2713", not_applicable: "\u2013" };
// a verdict that is clear of what its contract asks and yet shows a violation by somebody alone bears no tick
const signOf = (v) => (v.status === "ruled_out" && v.isolated ? "!" : SIGNS[v.status]);
const LABEL = Object.fromEntries(data.statuses.map(([status, label]) => [status, label]));

// One step can serve two streams, with another actor and other fields in each: a use says which part is meant.
function partOf(use) {
  return data.steps[use.step].parts[use.part || 0];
}
function contractOf(v) {
  return data.contracts[v.contract];
}
function place(step) {
  return `${data.traces[step.trace][0]} #${step.n}`;
}
function usesOf(v) {
  const told = [...(v.clashes || []), ...(v.gaps || []), ...(v.notes || [])].flatMap((x) => x.steps || []);
  return [...(v.steps || []), ...(v.others || []), ...told, ...(v.weightless || [])];
}
function citing(step) {
  return [...new Set(step.parts.flatMap((p) => p.by || []))].sort((a, b) => a - b);
}

const sceneOf = new Map(data.scenes.map((scene) => [scene.trace, scene]));
const citedIn = new Map(); // trace -> step number -> place in data.steps
data.steps.forEach((step, i) => {
  if (!citedIn.has(step.trace)) citedIn.set(step.trace, new Map());
  citedIn.get(step.trace).set(step.n, i);
});

// What a search looks at, made when first searched.
let hay = null;
function haystack() {
  if (hay === null) {
    hay = data.verdicts.map((v) => {
      const c = contractOf(v);
      return [c.name, v.instance, c.kind, c.risk, LABEL[v.status], v.headline, c.quote, v.reason, data.texts[v.leaning || 0],
        ...(v.gaps || []).map((g) => g.words), ...usesOf(v).flatMap((u) => {
          const s = data.steps[u.step], p = partOf(u);
          return [place(s), data.traces[s.trace][1], p.actor, p.tool, p.call, s.text, ...(u.fields || []).map((f) => f[1])];
        })].filter(Boolean).join("\n").toLowerCase();
    });
  }
  return hay;
}
let actors = null;
function actorsOf() {
  if (actors === null) actors = data.verdicts.map((v) => new Set(usesOf(v).flatMap((u) => [partOf(u).actor, ...(partOf(u).to || "").split(", ")]).filter(Boolean)));
  return actors;
}
function agentNames() {
  return [...new Set(actorsOf().flatMap((names) => [...names]))].sort();
}
