/** The facts about a run that are known before anything is sent. */
import { Redactor } from "./client/redact.ts";
import type { Profile } from "./model/profile.ts";
import { kitVersion } from "./package-root.ts";
import type { ReportStart } from "./report/report.ts";
import type { RunInput } from "./run-input.ts";
import type { Shard } from "./runner/prepare/shard.ts";

export function redactorFor({ credentials, control }: Profile): Redactor {
  const secrets = Object.values(credentials).map(({ role, secret }) => [`${role}.secret`, secret] as const);
  const token = control?.token;
  return new Redactor(
    new Map([...secrets, ...(token === undefined ? [] : [["control.token", token] as const])]),
    Object.values(credentials).map(({ keyId }) => keyId),
  );
}

export function startOf(
  { command = "gatewright conform", shard }: { readonly command?: string; readonly shard?: Shard },
  { profile, suite, level, seed }: RunInput,
  started: number,
): ReportStart {
  return {
    type: "gatewright-report/1",
    kit: kitVersion(),
    startedAt: new Date(started).toISOString(),
    environment: { node: process.version, platform: `${process.platform} ${process.arch}` },
    command,
    level,
    seed,
    suite: suite.digest,
    target: { name: profile.name, baseUrl: profile.baseUrl.href, notes: {} },
    ...(profile.digest === undefined ? {} : { profile: profile.digest }),
    ...(shard === undefined ? {} : { shard }),
  };
}
