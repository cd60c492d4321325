import { counted } from "../../model/counted.ts";
import type { RowTrace, TracedBody, TracedExchange, TracedHeader } from "../../model/trace.ts";
import { curlCommand } from "../curl.ts";
import { laidOut, pointersOf } from "../json-layout.ts";
import { shortened } from "../printable.ts";
import { replyLine, type SignedLine, signedLines } from "../text-trace.ts";
import { commandBlock, type Different, differenceBlock } from "./differences.ts";
import { type Markup, markup } from "./markup.ts";

/** When each request of the row was under way. */
export function timeline({ exchanges, omitted }: RowTrace): Markup {
  const to = Math.max(...exchanges.map(({ startedMs, durationMs }) => startedMs + durationMs), 1);
  const rows = exchanges.map((exchange) => {
    const { step, method, path, startedMs, durationMs } = exchange;
    const [x, width] = [(startedMs / to) * 1000, Math.max((durationMs / to) * 1000, 4)];
    return markup`<tr><th scope="row">${step}</th><td class="request">${method} ${path}</td><td class="status">${replyLine(exchange)}</td><td class="bar"><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${Math.min(x, 996).toFixed(1)}" y="1" width="${width.toFixed(1)}" height="8" rx="2"></rect></svg></td><td class="time">${durationMs} ms</td></tr>`;
  });
  if (rows.length === 0) return markup``;
  return markup`<div class="scroll"><table class="timeline"><caption>Timeline${omitted > 0 ? ` (${omitted} more exchanges are not shown)` : ""}</caption><tbody>${rows}</tbody></table></div>`;
}

/**
 * One exchange: request, answer, and the differences that it shows, if any; the members that differ are marked in the
 * answer. An outline has nothing to show.
 */
export function exchangeBlock(
  exchange: TracedExchange,
  baseUrl: string,
  differences: readonly Different[] = [],
  isOpen = false,
): Markup {
  const { detail, step, method, path, role, attempt } = exchange;
  if (detail === undefined) return markup``;
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const curl = curlCommand(exchange, baseUrl);
  const words = ownWords(detail.replyBody);
  const shown = words === undefined ? differences : differences.map(({ said: _, ...item }) => item);
  return markup`<details class="exchange"${isOpen ? markup` open` : undefined}><summary><b>${step}</b> <code>${method} ${path}</code> → <b>${replyLine(exchange)}</b> <small>as ${role}${again}</small></summary>
<div class="wire"><div><h4>Request</h4>${message(`${method} ${path}`, detail.requestHeaders, detail.requestBody)}</div>
<div><h4>Answer</h4>${words === undefined ? undefined : markup`<blockquote>${words}</blockquote>`}${message(replyLine(exchange), detail.replyHeaders ?? [], detail.replyBody, differences)}</div>
${shown.length === 0 ? undefined : markup`<div><h4>Difference</h4>${shown.map(differenceBlock)}</div>`}</div>
${signedTable(signedLines(exchange))}${detail.signedText === undefined ? undefined : folded("Text that was signed", markup`${detail.signedText.replaceAll("\n", "⏎\n")}`)}${curl === undefined ? undefined : commandBlock("As curl", "curl", curl)}</details>`;
}

const folded = (title: string, text: Markup, isOpen = false): Markup =>
  markup`<details class="more"${isOpen ? markup` open` : undefined}><summary>${title}</summary><pre>${text}</pre></details>`;

/** A trace of an exam may have longer bodies than one of the kit. */
const mostOfBody = 20_000;

function message(
  first: string,
  headers: readonly TracedHeader[],
  body: TracedBody | undefined,
  differences: readonly Different[] = [],
): Markup {
  const differs = (name: string): boolean =>
    differences.some(({ pointer }) => pointer.toLowerCase() === name.toLowerCase());
  const lines = headers.map(
    ([name, value]) => markup`${markedIf(differs(`headers/${name}`), markup`<b>${name}</b>: ${value}`)}\n`,
  );
  const size =
    body === undefined
      ? undefined
      : markup`<p class="size">${body.bytes} bytes${body.base64 ? ", not UTF-8: shown in base64" : ""}${body.cut ? ", cut" : ""}</p>`;
  const start = markedIf(differs("status") || differs("transport"), markup`${first}`);
  return markup`<pre><span class="first">${start}</span>${body === undefined ? undefined : markup`\n\n${bodyLines(body, differences)}`}</pre>${size}${folded(
    counted(headers.length, "header"),
    markup`${lines}`,
    headers.some(([name]) => differs(`headers/${name}`)),
  )}`;
}

const markedIf = (differs: boolean, text: Markup): Markup => (differs ? markup`<mark>${text}</mark>` : text);

function bodyLines(body: TracedBody, differences: readonly Different[]): Markup {
  const lines = shortened(laidOut(body), mostOfBody).split("\n");
  const pointers = differences.length === 0 ? [] : pointersOf(lines);
  const marked = lines.map((line, index) => {
    const differs = differences.some((item) => isAbout(item, pointers[index] ?? "", line));
    const [, indent = "", text = ""] = /^( *)(.*)$/s.exec(line) ?? [];
    return markup`${index === 0 ? "" : "\n"}${indent}${markedIf(differs, markup`${text}`)}`;
  });
  return markup`${marked}`;
}

/**
 * Is this line what the difference is about? A pointer may begin with the name of a part (`order/price`), which stands in
 * a place of its own for each profile; a `*` in it is any item of a list, of which the value then tells which.
 */
function isAbout({ pointer, actual }: Different, place: string, line: string): boolean {
  const below = pointer.indexOf("/");
  if (below === -1) return false;
  const any = pointer.includes("/*");
  if (any && !line.includes(actual)) return false;
  const at = any ? place.replace(/\/\d+(?=\/|$)/g, "/*") : place;
  const wanted = pointer.slice(below);
  const isIn = (whole: string): boolean => at === whole || at.startsWith(`${whole}/`);
  return isIn(wanted) || (below > 0 && (isIn(`/data${wanted}`) || `${at}/`.includes(`/${pointer}/`)));
}

/** What the target says itself: the code and the message of its answer, or of the part that tells the outcome. */
function ownWords(body: TracedBody | undefined): string | undefined {
  const answer = membersOf(body === undefined || body.base64 ? undefined : parsed(body.text));
  const said = [answer, membersOf(answer["error"]), membersOf(answer["data"])].flatMap(
    ({ code, message: words }) =>
      [code, words].flat().filter((text) => typeof text === "string" && text !== ""),
  );
  return said.length === 0 ? undefined : shortened([...new Set(said)].join(": "), 600);
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The lines of the canonical string that differ, with the characters that differ. */
function signedTable(lines: readonly SignedLine[]): Markup {
  const [first] = lines;
  if (first === undefined) return markup``;
  const rows = lines.map(({ part, left, right, differs }) => {
    const [old, fresh] = differs ? marked(left, right) : [markup`${left}`, markup`${right}`];
    return markup`<tr class="${differs ? "differs" : ""}"><th scope="row">${part}</th><td><code>${old}</code></td><td><code>${fresh}</code></td><td>${differs ? "≠" : "="}</td></tr>`;
  });
  const same = lines.every(({ differs }) => !differs);
  return markup`<div class="scroll"><table class="signed"><caption>${same ? "The text is the same on both sides: the secret or the digest differs" : "The six lines of the signature"}</caption><thead><tr><th></th><th scope="col">signed</th><th scope="col">${first.who}</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The text between the common beginning and the common end, as one piece, because scattered letters are unreadable. */
function marked(left: string, right: string): [Markup, Markup] {
  const [old, fresh] = [[...left], [...right]];
  const least = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < least && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const part = (text: readonly string[], from: number, to: number): string => text.slice(from, to).join("");
  const cut = (text: readonly string[]): [string, string, string] => [
    part(text, 0, start),
    part(text, start, text.length - end),
    part(text, text.length - end, text.length),
  ];
  const [oldHead, oldPart, oldTail] = cut(old);
  const [freshHead, freshPart, freshTail] = cut(fresh);
  return [
    markup`${oldHead}<del>${oldPart}</del>${oldTail}`,
    markup`${freshHead}<ins>${freshPart}</ins>${freshTail}`,
  ];
}
