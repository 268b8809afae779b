// Elements, and lists of which only what is seen is in the document.
// Every word of a recording becomes a text node or an attribute; nothing is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
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
function clip(text, n) {
  return text.length > n ? text.slice(0, n - 1) + "\u2026" : text;
}
function counted(n, noun) {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
function soon(f, ms) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(f, ms); };
}

// A list of rows of one height, of which one may be open and as high as it likes. Only the rows in sight are in the document, and the one
// that has the focus. Arrow keys, Home, End and the page keys move the focus; Enter does what a click does.
class Rows {
  constructor(label, draw) {
    this.draw = draw;
    this.n = 0;
    this.height = 60;
    this.at = 0; // the row that Tab reaches
    this.open = -1;
    this.extra = 0;
    this.drawn = new Map();
    this.inner = el("div", { class: "rows-inner" });
    this.root = el("div", { class: "rows", role: "list", "aria-label": label, onscroll: () => this.update(), onkeydown: (e) => this.key(e) }, this.inner);
    new ResizeObserver(() => this.update()).observe(this.root);
    this.growth = new ResizeObserver(() => this.measure());
  }
  show(n, height, at) {
    for (const node of this.drawn.values()) node.remove();
    this.drawn.clear();
    this.n = n;
    this.height = height;
    this.at = Math.max(0, Math.min(at || 0, n - 1));
    this.open = -1;
    this.extra = 0;
    this.root.scrollTop = 0;
    this.update();
  }
  top(i) {
    return i * this.height + (this.open >= 0 && i > this.open ? this.extra : 0);
  }
  update() {
    const height = this.n * this.height + this.extra;
    this.inner.style.height = `${height}px`;
    const from = this.root.scrollTop, to = from + this.root.clientHeight;
    const first = Math.max(0, Math.floor((from - (this.open >= 0 ? this.extra : 0)) / this.height) - 8);
    const last = Math.min(this.n, Math.ceil(to / this.height) + 8);
    const focused = document.activeElement && this.inner.contains(document.activeElement) ? this.rowOf(document.activeElement) : -1;
    for (const [i, node] of this.drawn) {
      if ((i < first || i >= last) && i !== focused) { node.remove(); this.drawn.delete(i); }
    }
    const wanted = new Set([this.at]);
    for (let i = first; i < last; i++) wanted.add(i);
    for (const i of wanted) {
      if (i < 0 || i >= this.n) continue;
      let node = this.drawn.get(i);
      if (!node) {
        node = this.draw(i, i === this.open);
        node.dataset.row = i;
        node.setAttribute("role", "listitem");
        node.setAttribute("aria-setsize", this.n);
        node.setAttribute("aria-posinset", i + 1);
        this.drawn.set(i, node);
        // in the order of the rows, so that what reads the page reads it in order
        let next = null;
        for (const [j, other] of this.drawn) if (j > i && (next === null || j < Number(next.dataset.row))) next = other;
        this.inner.insertBefore(node, next);
        if (i === this.open) { this.growth.disconnect(); this.growth.observe(node); }
      }
      node.style.transform = `translateY(${this.top(i)}px)`;
      const button = node.querySelector("button");
      if (button) button.tabIndex = i === this.at ? 0 : -1;
    }
  }
  measure() {
    const node = this.drawn.get(this.open);
    const extra = node ? Math.max(0, node.offsetHeight - this.height) : this.extra;
    if (extra !== this.extra) { this.extra = extra; this.update(); }
  }
  redraw(i) {
    const node = this.drawn.get(i);
    if (node) { node.remove(); this.drawn.delete(i); }
  }
  expand(i) {
    const before = this.open;
    this.open = i;
    this.extra = 0;
    this.redraw(before);
    this.redraw(i);
    if (i >= 0) this.at = i;
    this.update();
    this.measure();
  }
  rowOf(node) {
    const row = node.closest("[data-row]");
    return row && this.inner.contains(row) ? Number(row.dataset.row) : -1;
  }
  reveal(i, where) {
    const top = this.top(i), bottom = top + this.height + (i === this.open ? this.extra : 0);
    const height = this.root.clientHeight;
    if (where === "middle") this.root.scrollTop = Math.max(0, top - Math.max(0, (height - (bottom - top)) / 3));
    else if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (bottom > this.root.scrollTop + height) this.root.scrollTop = Math.min(top, bottom - height);
    this.update();
  }
  focus(i, where) {
    if (!this.n) return;
    const before = this.at;
    this.at = Math.max(0, Math.min(this.n - 1, i));
    this.reveal(this.at, where);
    if (this.drawn.has(before)) this.update();
    const node = this.drawn.get(this.at);
    const target = node && (node.querySelector("button") || node);
    if (target) target.focus({ preventScroll: true });
  }
  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName !== "BUTTON") return;
    const page = Math.max(1, Math.floor(this.root.clientHeight / this.height) - 1);
    const to = { ArrowDown: this.at + 1, j: this.at + 1, ArrowUp: this.at - 1, k: this.at - 1, Home: 0, End: this.n - 1, PageDown: this.at + page, PageUp: this.at - page }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    this.focus(to);
  }
}
