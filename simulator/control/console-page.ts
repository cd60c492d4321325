/** The console (simulator/console/, built by Vite into dist/console) as files to serve. Read at the first request. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { packageRoot } from "../fixture.ts";
import type { DocsAnswer } from "../http/docs.ts";

/** Scripts, styles and requests from this server only; nothing may frame the page. */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

export interface ConsoleFiles {
  readonly page: DocsAnswer;
  /** Null when there is no such file. The name of each holds a hash of what is in it. */
  readonly asset: (name: string) => DocsAnswer | null;
}

export function readConsole(): ConsoleFiles {
  const folder = path.join(packageRoot(), "dist", "console");
  const assets = new Map(
    readdirSync(path.join(folder, "assets")).map((name) => [
      name,
      answer(path.join(folder, "assets", name), "private, max-age=31536000, immutable"),
    ]),
  );
  return {
    page: answer(path.join(folder, "index.html"), "no-store"),
    asset: (name) => assets.get(name) ?? null,
  };
}

const answer = (file: string, keep: string): DocsAnswer => ({
  status: 200,
  headers: {
    "content-type": types[path.extname(file)] ?? "application/octet-stream",
    "cache-control": keep,
    "content-security-policy": consolePolicy,
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  },
  body: readFileSync(file),
});
