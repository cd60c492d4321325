/** What the guide answers: its pages have one frame, and nothing in them runs. */
import type { DocsAnswer } from "../http/docs.ts";
import { escaped } from "./render.ts";

const firstPage = "docs/README.md";

/** Styles and pictures of this server alone. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export const answer = (type: string, body: string | Buffer): DocsAnswer => ({
  status: 200,
  headers: {
    "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type,
    "cache-control": "no-store",
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  },
  body,
});

/** `prefix`: the address of the control surface. `words`: those that were searched for. */
export const framed = (prefix: string, title: string, html: string, words = ""): DocsAnswer =>
  answer(
    "text/html",
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Gatewright</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/guide/guide.css">
<header>
<a href="${prefix}/guide/${firstPage}"><b>Guide</b></a>
<a href="${prefix}/console">Console</a>
<a href="${prefix}/docs">API reference</a>
<form role="search" action="${prefix}/guide/search"><input name="q" type="search" aria-label="Search the guide" placeholder="Search the guide" value="${escaped(words)}"></form>
</header>
<main>${html}</main>
</html>
`,
  );
