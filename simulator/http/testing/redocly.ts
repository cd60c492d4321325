/** Redocly's linter over a document, with the rules of openapi/redocly.yaml. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const config = fileURLToPath(new URL("../openapi/redocly.yaml", import.meta.url));

/** The problems of each document. Nothing leaves this machine: telemetry and the look for updates are off. */
export async function lint(...documents: readonly unknown[]): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-openapi-"));
  try {
    const files = documents.map((_document, at) => `openapi-${at}.json`);
    for (const [at, file] of files.entries())
      writeFileSync(join(folder, file), JSON.stringify(documents[at]));
    const require = createRequire(import.meta.url);
    const cli = join(dirname(require.resolve("@redocly/cli/package.json")), "bin", "cli.js");
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      CI: "true",
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, "lint", ...files, "--config", config, "--format", "json"],
      { cwd: folder, env },
    ).catch((error: unknown) => error as { readonly stdout: string });
    // One report behind the other, each from a brace alone on its line.
    const reports = stdout.slice(stdout.indexOf("{")).split(/(?<=^\})(?=\{$)/m);
    if (reports.length !== documents.length) throw new Error(stdout);
    return reports.map((report) => {
      // as: the linter's own format.
      const { problems } = JSON.parse(report) as LintReport;
      return problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface LintReport {
  readonly problems: readonly {
    readonly severity: string;
    readonly ruleId: string;
    readonly message: string;
  }[];
}
