import { printableLines } from "../model/printable.ts";
import type { TracedExchange } from "../model/trace.ts";
import { withoutProxy } from "../signing/show-signature.ts";

/**
 * The values that `gatewright sign` makes again for every request; those of the trace are used up and partly hidden.
 */
const signed: Readonly<Record<string, string>> = {
  "x-api-key": "KEY_ID",
  "x-api-timestamp": "TIMESTAMP",
  "x-api-nonce": "NONCE",
  "x-api-signature": "SIGNATURE",
};
/** Headers that curl sends itself. */
const own = /^(?:host|connection|content-length|transfer-encoding)$/i;

/**
 * The request of a trace as a command. It has no credentials: the four signature headers are variables of the shell.
 */
export function curlCommand(exchange: TracedExchange, baseUrl: string): string | undefined {
  const { method, path, detail } = exchange;
  if (detail === undefined || !URL.canParse(baseUrl)) return undefined;
  const { requestHeaders, requestBody: body } = detail;
  const notes: string[] = [];
  if (requestHeaders.some(([name]) => Object.hasOwn(signed, name.toLowerCase())))
    notes.push(
      "# gatewright sign, with this method, path and body, prints the values for KEY_ID, TIMESTAMP, NONCE and SIGNATURE.",
    );
  const parts = [
    `curl -i ${withoutProxy(baseUrl)}--globoff --path-as-is ${method === "HEAD" ? "--head" : `-X ${quoted(method)}`} ${quoted(new URL(baseUrl).origin + path)}`,
  ];
  for (const [name, value] of requestHeaders.filter(([header]) => !own.test(header))) {
    const lower = name.toLowerCase();
    const variable = Object.hasOwn(signed, lower) ? signed[lower] : undefined;
    if (variable !== undefined) parts.push(`-H "${lower}: $${variable}"`);
    else if (/^«.*»$/.test(value)) notes.push("# A header whose value the trace hides is left out.");
    else parts.push(`-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (body === undefined) return [...new Set(notes), parts.join(" \\\n  ")].join("\n");
  if (!requestHeaders.some(([name]) => /^content-type$/i.test(name))) parts.push("-H 'Content-Type:'");
  // A text with escaped characters cannot be pasted unchanged, so it is sent through base64.
  const exact = !body.base64 && printableLines(body.text) === body.text;
  if (body.cut) {
    notes.push(`# The trace holds a part of the body alone: put its ${body.bytes} bytes into the file body.`);
    parts.push("--data-binary @body");
  } else parts.push(exact ? `--data-raw ${quoted(body.text)}` : "--data-binary @-");
  const encoded = body.base64 ? body.text : Buffer.from(body.text, "utf8").toString("base64");
  const input = body.cut || exact ? "" : `printf %s ${quoted(encoded)} | base64 -d | `;
  return [...new Set(notes), input + parts.join(" \\\n  ")].join("\n");
}

/** Quotes for a POSIX shell: everything is literal inside single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
