import { Egress } from "./client/egress.ts";
import { Redactor } from "./client/redact.ts";
import { Target } from "./client/target.ts";
import { readProfile } from "./load-profile.ts";
import { UsageError } from "./model/position.ts";
import type { Profile, SafetyClass } from "./model/profile.ts";
import type { Value, ValueMap } from "./model/value.ts";
import { asMap } from "./model/value.ts";
import { kitVersion } from "./package-root.ts";
import { type Environment, plainProfile } from "./parse/profile.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import { readSource } from "./parse/source.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { noRoute, orderPaths } from "./probe/candidates.ts";
import { draftProfile, type Given } from "./probe/draft-profile.ts";
import { probeTarget } from "./probe/probe-target.ts";
import { secretsOf } from "./run-start.ts";
import { sessionWithoutSuite } from "./runner/session-without-suite.ts";

export interface ProbeOptions {
  /** An address with a key id and the name of the variable that has the secret … */
  readonly target?: string | undefined;
  readonly keyId?: string | undefined;
  readonly secretVariable?: string | undefined;
  /** … or a profile, whose credentials and mapped operations are kept. */
  readonly profile?: string | undefined;
  readonly environment?: Environment;
  readonly allow?: "read" | "reject-only";
  readonly signal?: AbortSignal;
}

/** Drafts the profile of a target, as the text of a file without secrets. */
export async function probe(options: ProbeOptions): Promise<string> {
  const environment = options.environment ?? process.env;
  const allow: SafetyClass = options.allow ?? "read";
  const { profile, ...given } =
    options.profile === undefined
      ? fromAddress(options, environment)
      : await fromProfile(options.profile, environment);
  const redactor = new Redactor(secretsOf(profile));
  const egress = new Egress(withProbedRoutes(profile), undefined, options.signal);
  await using target = new Target(egress, `gatewright/${kitVersion()} (probe)`);
  const session = sessionWithoutSuite({ profile, target, redactor, egress });
  const findings = await probeTarget(session, allow);
  const { name, kind, baseUrl, loopback } = profile;
  const on = new Date().toISOString().slice(0, 10);
  const facts = { name, kind, baseUrl: baseUrl.href, host: baseUrl.hostname, loopback, allow, on };
  return redactor.redact(draftProfile(findings, { ...facts, ...given }));
}

/** The probe cancels orders that do not exist, at the usual places. */
function withProbedRoutes(profile: Profile): Profile {
  const paths = [...orderPaths, noRoute].map((place) => `DELETE ${place}`);
  return { ...profile, safety: { ...profile.safety, paths } };
}

type Start = { readonly profile: Profile } & Pick<Given, "credentials" | "operations">;

/** The user allows a host by naming it here; all other rules about hosts still apply. */
function fromAddress({ target, keyId, secretVariable }: ProbeOptions, environment: Environment): Start {
  if (target === undefined || keyId === undefined || secretVariable === undefined)
    throw new UsageError("give a profile, or a target with key id and the variable of its secret");
  const secret = environment[secretVariable];
  if (secret === undefined || secret === "")
    throw new UsageError(
      `the environment variable ${secretVariable} is ${secret === "" ? "set, and empty" : "not set"}`,
    );
  const plain = plainProfile(target, keyId, secret);
  if (typeof plain === "string") throw new UsageError(plain);
  const profile: Profile = plain.loopback
    ? plain
    : { ...plain, kind: "staging", allowHosts: [plain.baseUrl.hostname] };
  const entry = { keyId, secret: `\${env:${secretVariable}}` };
  return { profile, credentials: { trader: entry }, operations: {} };
}

async function fromProfile(file: string, environment: Environment): Promise<Start> {
  const profile = await readProfile(file, environment);
  using reader = new YamlReader();
  const reading = await readSource(file, await readCapped("profile", file, mostBytes.small), reader);
  const written: ValueMap = reading.ok ? asMap(reading.source.value) : {};
  const credentials = Object.entries(asMap(written["credentials"])).filter(
    ([role]) => profile.credentials[role] !== undefined,
  );
  return {
    profile,
    credentials: Object.fromEntries(credentials.map(([role, entry]) => [role, withoutClaims(entry)])),
    operations: asMap(written["operations"]),
  };
}

function withoutClaims(entry: Value): Record<string, Value> {
  const { claims: _, ...rest } = asMap(entry);
  return rest;
}
