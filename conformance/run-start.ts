/** The facts about a run that are known before anything is sent. */
import { Redactor } from "./client/redact.ts";
import type { Profile } from "./model/profile.ts";
import { kitVersion } from "./package-root.ts";
import type { ReportStart } from "./report/report.ts";
import type { RunInput } from "./run-input.ts";
import type { Shard } from "./runner/prepare/shard.ts";

/** A shorter value of a header is a word rather than a secret. */
const shortestHeader = 8;

export function redactorFor(profile: Profile): Redactor {
  return new Redactor(
    secretsOf(profile),
    Object.values(profile.credentials).map(({ keyId }) => keyId),
  );
}

/** What must be in no output, by the name of its place in the profile. Key ids are shortened in reports only. */
export function secretsOf({ credentials, control, http }: Profile): ReadonlyMap<string, string> {
  const secrets = Object.values(credentials).map(({ role, secret }) => [`${role}.secret`, secret] as const);
  const token = control?.token;
  const headers = Object.entries(http.headers)
    .filter(([, value]) => value.length >= shortestHeader)
    .map(([name, value]) => [`http.headers.${name}`, value] as const);
  return new Map([
    ...secrets,
    ...headers,
    ...(token === undefined ? [] : [["control.token", token] as const]),
  ]);
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
