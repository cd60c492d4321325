/** Redocly's linter over a document, with the rules of openapi/redocly.yaml. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const config = fileURLToPath(new URL("../openapi/redocly.yaml", import.meta.url));

/** The problems that it finds. Nothing leaves this machine: telemetry and the look for updates are off. */
export async function lint(document: unknown): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(document));
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
      [cli, "lint", file, "--config", config, "--format", "json"],
      { cwd: folder, env },
    ).catch((error: unknown) => error as { readonly stdout: string });
    // as: the linter's own format.
    const report = JSON.parse(stdout.slice(stdout.indexOf("{"))) as LintReport;
    return report.problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
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
