// Holds the search data away from the page: finds errors in a paste, and by words.
import { Matcher, frames, rank } from "./match.js";

const MOST = 30;
let rows = [];
let repo = "";
let matcher = null;
let words = null;         // the index of words, made when the first one is looked for
let wordsAt = "";
const lists = new Map();  // plain name → lists of that name
let byFile = new Map();   // last part of a path → rows, for tracebacks

function unpack(data) {
  repo = data.repo;
  rows = [];
  let index = 0;
  const files = data.files.flatMap(([folder, ...held]) => held.flatMap((name, i) => (i % 2 ? [] : [[folder + name, held[i + 1]]])));
  for (const [path, count] of files) {
    let line = 0;
    for (let i = 0; i < count; i++, index++) {
      line += data.lines[index];
      rows.push({ path, line, name: "", parts: data.parts[index], slug: data.slugs[index] });
    }
    const last = path.slice(path.lastIndexOf("/") + 1);
    const held = byFile.get(last) || [];
    for (let i = index - count; i < index; i++) held.push(i);
    byFile.set(last, held);
  }
  const texts = rows.map(({ parts }, row) => ({ row, parts }));
  for (const [row, others] of Object.entries(data.more)) for (const parts of others) texts.push({ row: Number(row), parts });
  matcher = new Matcher(texts.filter(({ parts }) => parts.length > 1 || parts[0].length >= 6));
}

function slug(row) {
  if (row.slug.startsWith("/")) return row.slug.slice(1);
  const head = Array.from(row.parts.join("{}").slice(0, 200)).slice(0, 50).join("").toLowerCase();
  return (head.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "error") + row.slug;
}

// Says how well a row fits the frames of a traceback: the last frame counts most.
function nearness(found) {
  const scores = new Map();
  found.slice(-60).forEach((frame, i, all) => {
    const last = frame.path.slice(frame.path.lastIndexOf("/") + 1);
    for (const index of byFile.get(last) || []) {
      const row = rows[index];
      let tail = 0;
      const [a, b] = [frame.path.split("/").reverse(), row.path.split("/").reverse()];
      while (tail < a.length && tail < b.length && a[tail] === b[tail]) tail++;
      const whole = tail === a.length || tail === b.length || tail >= 3;
      let score = Math.min(tail, 6) * 4 + (i === all.length - 1 ? 20 : 0);
      const own = row.name.slice(row.name.lastIndexOf(".") + 1);
      if (frame.name && own === frame.name.slice(frame.name.lastIndexOf(".") + 1)) score += 15;
      if (frame.line && whole) score += Math.max(0, 30 - Math.abs(frame.line - row.line));
      if (score > (scores.get(index) || 0)) scores.set(index, score);
    }
  });
  return scores;
}

function match(text) {
  const clean = text.replaceAll("\r\n", "\n");
  const trace = frames(clean);
  const near = nearness(trace);
  const hits = rank(matcher.find(clean), (row) => near.get(row) || 0);
  // A message of one word stands in many texts: it has to be the whole line.
  const worded = (hit) => hit.fixed >= 8 && rows[hit.row].parts.some((part) => part.trim().includes(" "));
  const sure = hits.filter((hit) => (hit.begins && hit.ends) || (worded(hit) && (hit.begins || hit.fixed >= 12)));
  if (sure.length === 0 && trace.length > 0) {
    // The message is not known, but the place is: an error that the last frame of ours raises.
    const last = trace[trace.length - 1];
    const name = last.path.slice(last.path.lastIndexOf("/") + 1);
    const here = (byFile.get(name) || []).filter((i) => Math.abs(rows[i].line - last.line) <= 3 && last.path.split("/").slice(-2).join("/") === rows[i].path.split("/").slice(-2).join("/"));
    return here.slice(0, 5).map((row) => ({ row, values: [], place: true }));
  }
  const best = sure.length ? sure[0].total : 0;
  return sure.filter((hit) => hit.total >= best * 0.5 || hit.begins).slice(0, MOST).map(({ row, values, begins, ends }) => ({ row, values, exact: begins && ends }));
}

async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

async function learn() {
  const [data, { default: MiniSearch }] = await Promise.all([load(wordsAt), import("./vendor/minisearch.js")]);
  let name = 0;
  rows.forEach((row, i) => {
    name += data.name[i];
    row.name = data.names[name];
    row.label = "";
  });
  data.labels.forEach((label, i) => {
    if (data.lists[i]) {
      const held = lists.get(plain(label)) || [];
      lists.set(plain(label), [...held, { name: label, url: data.lists[i], count: data.label[i].length }]);
    }
    let row = 0;
    for (const step of data.label[i]) {
      row += step;
      rows[row].label += ` ${label}`;
    }
  });
  return index(MiniSearch);
}

// How people write a flag, a field or a tag: `--attn-cp-size`, `attn_cp_size`.
function plain(label) {
  return label.trim().toLowerCase().replace(/^-+/, "").replaceAll("_", "-");
}

function index(MiniSearch) {
  const made = new MiniSearch({
    fields: ["message", "path", "name", "label"],
    searchOptions: { boost: { message: 4, label: 2, name: 1.5 }, prefix: (term) => term.length > 2, fuzzy: (term) => (term.length > 5 ? 0.15 : false), combineWith: "AND" },
  });
  made.addAll(rows.map((row, id) => ({ id, message: row.parts.join(" "), path: row.path, name: row.name, label: row.label })));
  return made;
}

async function search(query) {
  words ??= learn();
  const made = await words;
  const text = query.slice(0, 300);
  let found = made.search(text);
  if (found.length === 0) found = made.search(text, { combineWith: "OR" });
  return { lists: lists.get(plain(text)) || [], total: found.length, hits: found.slice(0, MOST).map(({ id }) => ({ row: id, values: [] })) };
}

function shown({ row, values, ...more }) {
  const { parts, path, line, name } = rows[row];
  return { url: `${repo}${slug(rows[row])}/`, parts, values: values.map((v) => v.slice(0, 300)), path, line, name, ...more };
}

async function begin({ load: address, words: later }) {
  wordsAt = later;
  const data = await load(address);
  const started = performance.now();
  unpack(data);
  self.postMessage({ ready: rows.length, took: performance.now() - started });
}

async function answer({ id, text }) {
  const started = performance.now();
  const matches = match(text);
  const took = performance.now() - started;
  // Words are what people type: one line, not long. A paste that was found needs no second list.
  const typed = text.trim();
  const wanted = typed.length <= 300 && !(matches.length && (matches[0].exact || matches[0].place));
  const { total, hits, lists: named } = wanted ? await search(typed) : { total: 0, hits: [], lists: [] };
  self.postMessage({ id, lists: named, took, matches: matches.map(shown), words: hits.map(shown), total });
}

self.addEventListener("message", ({ data }) => {
  const work = data.load ? begin(data) : answer(data);
  work.catch((error) => self.postMessage({ failed: String(error.message || error) }));
});
