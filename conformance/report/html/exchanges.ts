import type { RowTrace, TracedBody, TracedExchange, TracedHeader } from "../../model/trace.ts";
import { curlCommand } from "../curl.ts";
import { laidOut } from "../json-layout.ts";
import { replyLine, type SignedLine, signedLines } from "../text-trace.ts";
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

/** The wire log of one exchange; an outline has none. */
export function exchangeBlock(exchange: TracedExchange, baseUrl: string): Markup {
  const { detail, step, method, path, role, attempt, problem } = exchange;
  if (detail === undefined) return markup``;
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const curl = curlCommand(exchange, baseUrl);
  return markup`<details class="exchange"><summary><b>${step}</b> <code>${method} ${path}</code> → <b>${replyLine(exchange)}</b> <small>as ${role}${again}</small></summary>
${signedTable(signedLines(exchange))}
<div class="wire"><div><h4>Request</h4>${message(`${method} ${path}`, detail.requestHeaders, detail.requestBody)}</div>
<div><h4>Reply</h4>${message(exchange.status === undefined ? `${exchange.transport} ${problem ?? ""}` : String(exchange.status), detail.replyHeaders ?? [], detail.replyBody)}</div></div>
${detail.signedText === undefined ? undefined : markup`<h4>Text that was signed</h4><pre>${detail.signedText.replaceAll("\n", "⏎\n")}</pre>`}${curl === undefined ? undefined : markup`<h4>As curl <button type="button" class="copy" hidden>Copy</button></h4><pre class="curl">${curl}</pre>`}</details>`;
}

function message(first: string, headers: readonly TracedHeader[], body: TracedBody | undefined): Markup {
  const lines = headers.map(([name, value]) => markup`<b>${name}</b>: ${value}\n`);
  const size =
    body === undefined
      ? undefined
      : markup`<p class="size">${body.bytes} bytes${body.base64 ? ", not UTF-8: shown in base64" : ""}${body.cut ? ", cut" : ""}</p>`;
  return markup`<pre><span class="first">${first}</span>\n${lines}${body === undefined ? undefined : markup`\n${laidOut(body)}`}</pre>${size}`;
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
