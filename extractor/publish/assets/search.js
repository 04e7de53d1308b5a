// The search box: asks the worker and shows what it found. What was pasted stands on the page as text only.
"use strict";

const form = document.querySelector("form.paste");
const field = form.querySelector("textarea");
const status = document.getElementById("status");
const results = document.getElementById("results");
const root = document.body.dataset.root;
let worker = null;
let ready = false;
let asked = 0;
let waiting = null;

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

function start() {
  if (worker) return;
  status.textContent = "Loading …";
  worker = new Worker(form.dataset.worker, { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.failed) { status.textContent = `Search cannot be loaded (${data.failed}).`; return; }
    if (data.ready !== undefined) {
      ready = true;
      status.textContent = "";
      if (waiting !== null) ask(waiting);
      return;
    }
    if (data.id === asked) show(data);
  });
  worker.addEventListener("error", () => { status.textContent = "Search cannot be loaded."; });
  const address = (path) => new URL(path, location.href).href;
  worker.postMessage({ load: address(form.dataset.search), words: address(form.dataset.words) });
}

async function byId(id) {
  // Not every error has its id in the search data; the API knows each, aliases too.
  const answer = await fetch(`${root}api/errors/${id}.json`);
  if (!answer.ok) return false;
  const { record } = await answer.json();
  location.href = `${root}${record.repo.split("/").map(encodeURIComponent).join("/")}/${record.slug}/`;
  return true;
}

async function ask(text) {
  const query = text.trim();
  asked += 1;
  const number = asked;
  if (!query) { status.textContent = ""; results.replaceChildren(); return; }
  if (/^[0-9a-f]{16}$/.test(query) && await byId(query).catch(() => false)) return;
  if (number !== asked) return;
  start();
  if (!ready) { waiting = text; return; }
  waiting = null;
  worker.postMessage({ id: number, text: text });
}

function message({ parts, values }) {
  const code = make("code");
  parts.forEach((part, i) => {
    code.append(part);
    if (i < parts.length - 1) code.append(values.length ? make("mark", { textContent: values[i] }) : make("var", { textContent: "{}" }));
  });
  return code;
}

// A long path breaks after its slashes.
function place(path) {
  return path.split(/(?<=\/)/).flatMap((part) => [part, make("wbr")]).slice(0, -1);
}

function item(hit) {
  const link = make("a", { href: root + hit.url }, message(hit));
  return make("li", {}, link, " ", make("span", { className: "where" }, ...place(`${hit.path}:${hit.line}`)));
}

function list(title, hits) {
  if (!hits.length) return [];
  return [make("h2", { textContent: title }), make("ul", { className: "rows" }, ...hits.map(item))];
}

function show({ matches, words, lists, total, took }) {
  const found = matches.length
    ? `${matches.length === 1 ? "One error matches" : `${matches.length} errors match`} what you pasted.`
    : total ? `${total} ${total === 1 ? "error" : "errors"} found by words${total > words.length ? `; the best ${words.length} are shown` : ""}.` : "Nothing found.";
  status.textContent = found;
  status.dataset.took = took.toFixed(1);
  const title = matches.length && matches[0].place ? "Raised at this place" : "This error";
  const first = matches.filter((hit, i) => i === 0 || (hit.exact && !matches[0].place));
  const others = matches.filter((hit) => !first.includes(hit));
  const named = lists.map(({ name, url, count }) => make("p", {}, "List: ", make("a", { href: root + url, textContent: name }), ` (${count} ${count === 1 ? "error" : "errors"})`));
  results.replaceChildren(...named, ...list(first.length > 1 ? "These errors" : title, first), ...list("May also match", others), ...list("By words", words));
}

let timer = 0;
field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => ask(field.value), field.value.length > 200 ? 0 : 120); });
field.addEventListener("focus", start, { once: true });
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (!event.shiftKey && !field.value.includes("\n")))) {
    event.preventDefault();
    const link = results.querySelector("a");
    if (link && ready) link.focus();
    ask(field.value);
  }
});
form.addEventListener("submit", (event) => { event.preventDefault(); ask(field.value); });

let given = new URLSearchParams(location.search).get("q") || "";
try {
  given = sessionStorage.getItem("paste") || given;
  sessionStorage.removeItem("paste");
} catch { /* storage is off */ }
if (given) { field.value = given; ask(given); }
