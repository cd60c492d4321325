import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";
import { Markup, markup } from "./markup.ts";

export interface PageParts {
  readonly title: string;
  /** The part of the page to which the skip link for keyboards leads. */
  readonly name: string;
  readonly banner: Markup;
  readonly body: readonly Markup[];
}

/**
 * One page without network requests. Its only script filters rows. The policy in the page has the digests of the two
 * inline parts, so text of a target can neither run nor load anything, even if escaping failed. The page is readable
 * without a script, with a keyboard and on paper.
 */
export function htmlPage({ title, name, banner, body }: PageParts): string {
  const style = readFileSync(join(packageRoot(), "fixtures", "theme.css"), "utf8") + part("report.css");
  const script = part("report.js");
  const policy = `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; base-uri 'none'; form-action 'none'`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · Gatewright</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the ${name}</a>
${banner}
<main id="main">
${body.map((section) => markup`${section}\n`)}</main>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.source;
}

function part(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
}

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
