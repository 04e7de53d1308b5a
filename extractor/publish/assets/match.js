// Finds the errors whose message stands in a pasted text. Linear in the text: its windows of a few characters are looked
// up in a table of one window a message, and what may stand there is compared by searching the fixed parts in order.
// No regular expression is ever made from a message or run over a paste.

const WINDOW = 8;         // characters of a message that are looked up
const LONGEST_VALUE = 4000;
const LONGEST_PASTE = 400000;
const MOST_TRIES = 40;    // places of one message's window in one text that are looked at

const BASE = 65599;
const TOP = power(BASE, WINDOW - 1);

function power(base, exponent) {
  let value = 1;
  for (let i = 0; i < exponent; i++) value = Math.imul(value, base);
  return value | 0;
}

function hashes(text) {
  const count = text.length - WINDOW + 1;
  if (count <= 0) return new Int32Array(0);
  const found = new Int32Array(count);
  let hash = 0;
  for (let i = 0; i < WINDOW; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
  found[0] = hash;
  for (let i = 1; i < count; i++) {
    hash = (Math.imul(hash - Math.imul(text.charCodeAt(i - 1), TOP), BASE) + text.charCodeAt(i + WINDOW - 1)) | 0;
    found[i] = hash;
  }
  return found;
}

export class Matcher {
  // `texts` is a list of {row, parts}: parts are fixed texts, with a runtime value between any two.
  constructor(texts) {
    this.texts = texts;
    this.table = new Map();   // hash of a window → indexes of texts
    this.anchors = new Array(texts.length);
    this.short = [];          // texts without a part as long as a window
    const counts = new Map();
    const all = texts.map(({ parts }) => parts.map(hashes));
    for (const parts of all) for (const part of parts) for (const hash of part) counts.set(hash, (counts.get(hash) || 0) + 1);
    all.forEach((parts, index) => {
      let best = null;
      parts.forEach((part, number) => part.forEach((hash, at) => {
        const count = counts.get(hash);
        if (!best || count < best.count) best = { count, hash, part: number, at };
      }));
      if (!best) {
        if (texts[index].parts.join("").length >= 6) this.short.push(index);
        return;
      }
      this.anchors[index] = best;
      const held = this.table.get(best.hash);
      if (held) held.push(index); else this.table.set(best.hash, [index]);
    });
  }

  // Returns what was found: {row, start, end, values, fixed}, each text once, where it fits best.
  find(paste) {
    const text = paste.length > LONGEST_PASTE ? paste.slice(-LONGEST_PASTE) : paste;
    const best = new Map();
    const tries = new Map();
    const keep = (index, hit) => {
      const held = best.get(index);
      if (hit && (!held || hit.score > held.score)) best.set(index, hit);
    };
    const found = hashes(text);
    for (let at = 0; at < found.length; at++) {
      const candidates = this.table.get(found[at]);
      if (!candidates) continue;
      for (const index of candidates) {
        const tried = tries.get(index) || 0;
        if (tried >= MOST_TRIES) continue;
        tries.set(index, tried + 1);
        keep(index, this.verify(text, index, at));
      }
    }
    for (const index of this.short) keep(index, this.first(text, index));
    return [...best.values()];
  }

  // The window of a text's anchor stands at `at`: do the other parts stand around it?
  verify(text, index, at) {
    const { parts } = this.texts[index];
    const anchor = this.anchors[index];
    const start = at - anchor.at;
    if (start < 0 || !text.startsWith(parts[anchor.part], start)) return null;
    const spans = new Array(parts.length);
    spans[anchor.part] = [start, start + parts[anchor.part].length];
    for (let i = anchor.part - 1; i >= 0; i--) {
      const limit = spans[i + 1][0] - 1;             // a value is at least one character
      if (limit < 0) return null;
      if (parts[i] === "") { spans[i] = i === 0 ? edge(text, limit + 1) : [limit, limit]; continue; }
      const from = Math.max(0, limit - parts[i].length - LONGEST_VALUE);
      const place = text.slice(from, limit).lastIndexOf(parts[i]);
      if (place < 0) return null;
      spans[i] = [from + place, from + place + parts[i].length];
    }
    return this.forward(text, index, spans, anchor.part);
  }

  first(text, index) {
    const { parts } = this.texts[index];
    const lead = parts.findIndex((part) => part !== "");
    const place = text.indexOf(parts[lead]);
    if (place < lead) return null;
    const spans = [];
    for (let i = 0; i < lead; i++) spans.push([place - lead + i, place - lead + i]);
    if (lead > 0) spans[0] = edge(text, place);
    spans[lead] = [place, place + parts[lead].length];
    return this.forward(text, index, spans, lead);
  }

  forward(text, index, spans, from) {
    const { parts, row } = this.texts[index];
    for (let i = from + 1; i < parts.length; i++) {
      const begin = spans[i - 1][1] + 1;
      if (begin > text.length) return null;
      if (parts[i] === "") {
        if (i < parts.length - 1) { spans[i] = [begin, begin]; continue; }
        const end = lineEnd(text, begin - 1);
        if (end < begin) return null;
        spans[i] = [end, end];
        continue;
      }
      if (i === parts.length - 1 && parts[i].length < WINDOW) {
        // A full stop stands in values too; the one at the end of the line is the message's.
        const end = lineEnd(text, begin - 1);
        if (end - parts[i].length >= begin && end - begin < LONGEST_VALUE && text.startsWith(parts[i], end - parts[i].length)) {
          spans[i] = [end - parts[i].length, end];
          continue;
        }
      }
      const place = text.slice(begin, begin + parts[i].length + LONGEST_VALUE).indexOf(parts[i]);
      if (place < 0) return null;
      spans[i] = [begin + place, begin + place + parts[i].length];
    }
    const values = [];
    for (let i = 1; i < parts.length; i++) values.push(text.slice(spans[i - 1][1], spans[i][0]));
    const start = spans[0][0];
    const end = spans[spans.length - 1][1];
    const fixed = parts.reduce((sum, part) => sum + part.length, 0);
    const before = text.slice(Math.max(0, start - 80), start);
    const begins = start === 0 || /(?:^|\n)[^\n]{0,60}?[A-Za-z]{0,40}(?:Error|Exception): $/.test(before) || before.endsWith("\n");
    const ends = end === text.length || text[end] === "\n" || text[end] === "\r";
    const wide = values.reduce((sum, value) => sum + Math.max(0, value.length - 60), 0);
    return { row, start, end, values, fixed, begins, ends, score: fixed * (1 + (begins ? 0.5 : 0) + (ends ? 0.25 : 0)) - wide / 20 };
  }
}

function lineEnd(text, from) {
  const end = text.indexOf("\n", from);
  const stop = end < 0 ? text.length : end;
  return text[stop - 1] === "\r" && stop - 1 > from ? stop - 1 : stop;
}

// A message that begins with a runtime value begins after `SomeError: `, or with the line.
function edge(text, valueEnd) {
  const line = text.lastIndexOf("\n", valueEnd - 1) + 1;
  const named = text.slice(line, valueEnd).search(/(?:Error|Exception): /);
  const start = named < 0 ? line : line + text.slice(line, valueEnd).indexOf(": ", named) + 2;
  const place = Math.min(start, valueEnd - 1);
  return [place, place];
}

// Returns the frames of a Python traceback: {path, line, name}.
export function frames(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const open = line.indexOf('File "');
    if (open < 0) continue;
    const close = line.indexOf('", line ', open + 6);
    if (close < 0) continue;
    const rest = line.slice(close + 8);
    const named = rest.indexOf(", in ");
    found.push({
      path: line.slice(open + 6, close).replaceAll("\\", "/"),
      line: Number.parseInt(rest, 10) || 0,
      name: named < 0 ? "" : rest.slice(named + 5).trim(),
    });
    if (found.length >= 1000) break;
  }
  return found;
}

// Returns the hits in order, those left out that lie within a better one.
export function rank(hits, near) {
  for (const hit of hits) hit.total = hit.score + near(hit.row);
  hits.sort((a, b) => b.total - a.total || a.row - b.row);
  const kept = [];
  for (const hit of hits) {
    const inside = kept.some((k) => k.row !== hit.row && k.start <= hit.start && hit.end <= k.end && k.fixed > hit.fixed);
    if (!inside && !kept.some((k) => k.row === hit.row)) kept.push(hit);
    if (kept.length >= 60) break;
  }
  return kept;
}
