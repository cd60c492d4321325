/**
 * The OpenAPI document and a page to read it, as bytes to serve. The page is Scalar's reference, taken from
 * the package and told to fetch nothing from anywhere else; the policy in its headers would not let it.
 *
 * This file is imported at the first request for the page.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { apiTitle } from "./openapi/prose.ts";
import { type OpenApiSource, openApiTexts } from "./openapi.ts";

/** An answer for any framework; header names in lower case. */
export interface DocsAnswer {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface Docs {
  /** `…/openapi.json`; `?signed=false` leaves the security schemes out. */
  readonly document: (search: string, host?: string) => DocsAnswer;
  /** `…/docs`; with `?signed=false` its requests can be tried, through a proxy that signs them. */
  readonly page: () => DocsAnswer;
  /** `…/docs/<name>`; null when there is no such file. */
  readonly asset: (name: string) => DocsAnswer | null;
}

export function createDocs(source: OpenApiSource): Docs {
  // One buffer for all answers: a reader that is slow, or asks often, costs no copy.
  let scalar: Buffer | null = null;
  const scalarBytes = (): Buffer => (scalar ??= readFileSync(scalarFile()));
  const textOf = openApiTexts(source);
  return {
    document: (search, host) => {
      const signed = new URLSearchParams(search).get("signed") !== "false";
      const variant = host === undefined ? { signed } : { signed, host };
      return answer("application/json; charset=utf-8", textOf(variant));
    },
    page: () => answer("text/html; charset=utf-8", docsPage, { "content-security-policy": policy }),
    asset: (name) => {
      if (name === "start.js") return answer(scriptType, start);
      return name === "scalar.js" ? answer(scriptType, scalarBytes(), keep) : null;
    },
  };
}

const scriptType = "text/javascript; charset=utf-8";
/** Three megabytes that change only with the package. */
const keep = { "cache-control": "private, max-age=3600" };

const answer = (
  type: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): DocsAnswer => ({
  status: 200,
  headers: {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...headers,
  },
  body,
});

/** Scripts, documents and requests from this server only. Scalar writes style elements of its own. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function scalarFile(): string {
  const require = createRequire(import.meta.url);
  const entry = require.resolve("@scalar/fastify-api-reference");
  return join(dirname(entry), "js", "standalone.js");
}

/** Addresses are relative to the page, `…/docs`, so that it need not know where it is mounted. */
const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${apiTitle}</title>
  </head>
  <body>
    <div id="app"></div>
    <noscript>This page needs JavaScript. The document itself is <a href="openapi.json">openapi.json</a>; that of the stream, <a href="asyncapi.json">asyncapi.json</a>; that of the sandbox's controls, <a href="control.json">control.json</a>.</noscript>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** A secret is never sent, and no signature of a page could be valid. */
const exampleCredentials = {
  ApiKey: { value: "gw_demo_trader" },
  ApiTimestamp: { value: "1767225600000" },
  ApiNonce: { value: "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11" },
  ApiSignature: { value: "0".repeat(64) },
};

const start = `const signed = new URLSearchParams(location.search).get("signed") !== "false";
const url = new URL(signed ? "openapi.json" : "openapi.json?signed=false", location.href).href;
Scalar.createApiReference("#app", {
  url,
  withDefaultFonts: false,
  telemetry: false,
  // A browser cannot sign: requests can be tried only where a proxy signs them.
  hideTestRequestButton: signed,
  hideClientButton: true,
  showDeveloperTools: "never",
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  // What the samples send. Without these they have a placeholder that asks for a secret.
  authentication: {
    securitySchemes: ${JSON.stringify(exampleCredentials)},
  },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
`;
