/**
 * The start page of a simulator: its version, its state and links. One document without outside requests and without
 * secrets, so it is served without a token. Dynamic content is written as text, never as markup.
 */
import { createHash } from "node:crypto";

const pageStyle = `
:root { color-scheme: light dark; --ink: #16202b; --paper: #f6f7f9; --line: #d5dbe3; --soft: #5d6b7a; --good: #14763a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf1; --paper: #10161d; --line: #2b3642; --soft: #97a5b4; --good: #56c98a; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 52rem; margin: 0 auto; padding: 3rem 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; } h1 + p { color: var(--soft); margin: .25rem 0 2rem; }
dl { display: grid; grid-template-columns: 11rem 1fr; border-top: 1px solid var(--line); margin: 0 0 2rem; }
dt, dd { margin: 0; padding: .55rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { font-family: ui-monospace, monospace; font-size: .9rem; overflow-wrap: anywhere; }
dd.running { color: var(--good); } dd.trouble { color: var(--bad); }
a { color: inherit; } nav a { margin-right: 1.25rem; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dt { border: 0; padding-bottom: 0; } }
`;

const pageScript = `
const cell = (id) => document.getElementById(id);
async function refresh() {
  try {
    const { data } = await (await fetch("health", { cache: "no-store" })).json();
    for (const name of ["version", "mode", "clock", "marketTime", "seed", "seq", "hash", "epoch"]) cell(name).textContent = String(data[name]);
    cell("mode").className = data.mode === "running" ? "running" : "trouble";
    cell("trouble").textContent = data.trouble ?? "";
  } catch {
    cell("mode").textContent = "does not answer";
    cell("mode").className = "trouble";
  }
}
cell("base").textContent = location.origin + cell("base").dataset.prefix;
refresh();
setInterval(refresh, 1000);
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const consolePolicy =
  `default-src 'none'; style-src ${hashOf(pageStyle)}; script-src ${hashOf(pageScript)}; connect-src 'self'; img-src data:; ` +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const row = (label: string, id: string): string => `<dt>${label}</dt><dd id="${id}">…</dd>`;

export const consolePage = (tradingPrefix: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gatewright</title>
<link rel="icon" href="data:,"><style>${pageStyle}</style></head>
<body><main>
<h1>Gatewright</h1><p>A sandbox of the Order Trading Gateway, on this machine.</p>
<dl>
<dt>Base URL</dt><dd id="base" data-prefix="${tradingPrefix}"></dd>
${row("State", "mode")}${row("Market clock", "clock")}${row("Market time", "marketTime")}
${row("Journal entries", "seq")}${row("Chain hash", "hash")}${row("Seed", "seed")}${row("Epoch", "epoch")}${row("Version", "version")}
</dl>
<p id="trouble"></p>
<nav><a href="docs">API documentation</a><a href="openapi.json">OpenAPI document</a><a href="asyncapi.json">AsyncAPI document</a><a href="control.json">Controls of the sandbox</a><a href="health">Health</a></nav>
</main><script>${pageScript}</script></body></html>
`;
