import { mappedDefaults, specifiedOperations } from "../contract/operations.ts";
import { ControlAccess, Credential } from "../model/credential.ts";
import { durationMs } from "../model/duration.ts";
import { inOneRound, type Path, type Problem } from "../model/position.ts";
import {
  type Budget,
  isLoopback,
  isOurs,
  type Operation,
  type Presence,
  type ProductPlan,
  type Profile,
  type Safety,
  type SafetyClass,
} from "../model/profile.ts";
import { asMap, isMap, textsIn, type Value, type ValueMap } from "../model/value.ts";
import type { Source } from "./source.ts";
import { streamAddressProblem, streamOf } from "./stream.ts";

export type ProfileReading =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Turns a file into a profile, if it has no mistakes; `found` has the problems from schema and lint. Secrets come only
 * from the environment, and are read only here.
 */
export function toProfile(
  source: Source,
  environment: Environment,
  found: readonly Problem[] = [],
): ProfileReading {
  const problems: Problem[] = [];
  const file = asMap(
    filled(source.value, [], environment, (path, message) => problems.push(source.problem(path, message))),
  );
  const url = baseUrlOf(String(file["baseUrl"]));
  if (typeof url === "string") problems.push(source.problem(["baseUrl"], url));
  const addresses = [
    [["ws", "url"], asMap(file["ws"])["url"], streamAddressProblem],
    [["control", "url"], asMap(file["control"])["url"], controlAddressProblem],
  ] as const;
  for (const [path, address, problemOf] of addresses) {
    const misplaced = typeof address === "string" ? problemOf(address) : undefined;
    if (misplaced !== undefined) problems.push(source.problem(path, misplaced));
  }
  const told = inOneRound(found, problems);
  if (told.length > 0 || typeof url === "string") return { ok: false, problems: told };
  const stated = Object.entries(asMap(asMap(source.value)["credentials"]));
  const left = stated
    .map(([role, credential]) => [role, unsetIn(credential, environment)] as const)
    .filter(([, unset]) => unset.length > 0);
  return { ok: true, profile: buildProfile(file, url, Object.fromEntries(left)) };
}

/** The profile of a bare `--target`: this machine only, the operations of the specification, and nothing else. */
export function plainProfile(target: string, keyId: string, secret: string): Profile | string {
  const url = baseUrlOf(target);
  if (typeof url === "string") return url;
  return buildProfile({ name: url.host, kind: "local", credentials: { trader: { keyId, secret } } }, url);
}

function controlAddressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return `"${text}" is not a URL`;
  return /^https?:$/.test(url.protocol) ? undefined : "the address starts with http:// or https://";
}

/**
 * `${env:NAME}`; `${env:NAME:-text}` has a fallback. An unset optional credential is left out together with its role.
 */
function filled(
  value: Value,
  path: Path,
  environment: Environment,
  say: (path: Path, message: string) => void,
): Value {
  if (typeof value === "string") {
    return value.replace(
      /\$\{env:([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
      (_, name: string, fallback: string | undefined) => {
        const found = environment[name] ?? fallback;
        if (found === undefined) say(path, `the environment variable ${name} is not set`);
        return found ?? "";
      },
    );
  }
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, Value][] => {
    if (isOptional(path, key) && missing(item, environment)) return [];
    return [[key, filled(item, [...path, key], environment, say)]];
  });
  return Object.fromEntries(entries);
}

/**
 * Optional values: extra credentials and the control surface enable more cases; without them those cases are BLOCKED,
 * which is no error.
 */
function isOptional(path: Path, key: string): boolean {
  return (
    (path[0] === "credentials" && path.length === 1 && key !== "trader") ||
    (path.length === 0 && key === "control") ||
    (path[0] === "ws" && path.length === 1 && key === "url")
  );
}

function missing(item: Value, environment: Environment): boolean {
  return unsetIn(item, environment).length > 0;
}

function unsetIn(item: Value, environment: Environment): string[] {
  const names = textsIn(item).flatMap((text) =>
    [...text.matchAll(/\$\{env:([A-Za-z_]\w*)\}/g)].map(([, name]) => name ?? ""),
  );
  return [...new Set(names)].filter((name) => environment[name] === undefined);
}

/** GEN-10: the base address ends with the prefix. An address that could contain credentials or a query is refused. */
function baseUrlOf(text: string): URL | string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `"${text}" is not a URL`;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return "the base address starts with http:// or https://";
  if (url.username !== "" || url.password !== "")
    return "the base address must not contain a user or a password";
  if (url.search !== "" || url.hash !== "") return "the base address must not contain a query or a fragment";
  url.pathname = url.pathname.replace(/\/+$/, "");
  if (!url.pathname.endsWith("/api/v1/trading"))
    return "the base address must end with /api/v1/trading (GEN-10)";
  return url;
}

const localBudget: Budget = {
  requests: 100_000,
  orders: 20_000,
  openOrders: 20_000,
  minutes: 60,
  rps: 1000,
  concurrency: 16,
};
export const remoteBudget: Budget = {
  requests: 1500,
  orders: 60,
  openOrders: 10,
  minutes: 20,
  rps: 5,
  concurrency: 8,
};

function buildProfile(
  file: ValueMap,
  baseUrl: URL,
  withoutVariables: Profile["withoutVariables"] = {},
): Profile {
  const loopback = isLoopback(baseUrl.hostname);
  const auth = asMap(file["auth"]);
  const tls = asMap(file["tls"]);
  const control = asMap(file["control"]);
  const kind = (file["kind"] as Profile["kind"] | undefined) ?? (loopback ? "local" : "staging");
  const ours = isOurs({ loopback, kind });
  const stream = streamOf(file["ws"]);
  return {
    name: String(file["name"]),
    kind,
    baseUrl,
    loopback,
    allowHosts: listOf(file["allowHosts"]),
    tls: { ...textsAt(tls, "ca", "cert", "key"), insecure: tls["insecure"] === true },
    http: { headers: asMap(asMap(file["http"])["headers"]) as Record<string, string> },
    safety: safetyOf(asMap(file["safety"]), ours),
    facts: asMap(file["facts"]),
    onlyListed: ours && file["onlyListed"] === true,
    credentials: credentialsOf(asMap(file["credentials"])),
    withoutVariables,
    auth: {
      signedPath: auth["signedPath"] === "pathAndQuery" ? "pathAndQuery" : "path",
      ...numberAt(auth, "clockToleranceMs"),
      ...numberAt(auth, "lockoutAfter"),
    },
    capabilities: capabilitiesOf(file, loopback),
    ...(stream === undefined ? {} : { stream }),
    operations: { ...specifiedOperations, ...operationsOf(asMap(file["operations"])) },
    said: Object.fromEntries(
      ["auth", "facts", "operations", "ws"].map((section) => [section, asMap(file[section])]),
    ),
    assumptions: asMap(file["assumptions"]) as Profile["assumptions"],
    ...(typeof control["url"] === "string" ? { control: controlOf(control) } : {}),
    ...textsAt(file, "expectations", "requestSource"),
    timeouts: { requestMs: durationMs(String(asMap(file["timeouts"])["request"] ?? "10s")) ?? 10_000 },
  };
}

function safetyOf(safety: ValueMap, ours: boolean): Safety {
  const { perOrder, ...notional } = asMap(safety["notional"]);
  return {
    allow: (safety["allow"] as SafetyClass | undefined) ?? (ours ? "trades" : "reject-only"),
    budget: { ...(ours ? localBudget : remoteBudget), ...(asMap(safety["budget"]) as Partial<Budget>) },
    notional: notional as Record<string, string>,
    notionalPerOrder: asMap(perOrder) as Record<string, string>,
    leftovers: Number(safety["leftovers"] ?? (ours ? 100_000 : 10)),
    paths: listOf(safety["paths"]),
    products: asMap(safety["products"]) as Record<string, ProductPlan>,
  };
}

function controlOf(control: ValueMap): ControlAccess {
  const { url, token } = control;
  return new ControlAccess(String(url).replace(/\/+$/, ""), typeof token === "string" ? token : undefined);
}

/** Two capabilities depend on the control surface: without it they are unknown, whatever the file says. */
function capabilitiesOf(file: ValueMap, loopback: boolean): Record<string, Presence> {
  const stated = asMap(file["capabilities"]) as Record<string, Presence>;
  const capabilities: Record<string, Presence> = {
    "raw.socket": loopback ? "present" : "unknown",
    ...stated,
  };
  if (file["control"] !== undefined) return capabilities;
  for (const name of ["clock.control", "fault.inject"]) {
    if (capabilities[name] === "present") capabilities[name] = "unknown";
  }
  return capabilities;
}

function credentialsOf(stated: ValueMap): Record<string, Credential> {
  const entries = Object.entries(stated).map(([role, value]): [string, Credential] => {
    const given = asMap(value);
    const keyId = String(given["keyId"]);
    const client = String(given["client"] ?? (role === "trader" ? "A" : role));
    const parts = { role, keyId, secret: String(given["secret"]), claims: listOf(given["claims"]), client };
    return [role, new Credential(parts)];
  });
  return Object.fromEntries(entries);
}

function operationsOf(stated: ValueMap): Record<string, Operation | "absent"> {
  const mapped = Object.entries(stated).filter(([, value]) => value !== "unknown");
  const entries = mapped.map(([name, value]): [string, Operation | "absent"] => {
    if (value === "absent") return [name, "absent"];
    const given = asMap(value);
    const known = specifiedOperations[name];
    const base = known ?? { ...mappedDefaults, method: "GET", path: "/" };
    return [
      name,
      {
        ...base,
        ...(typeof given["method"] === "string" && known === undefined ? { method: given["method"] } : {}),
        ...(typeof given["path"] === "string" && known === undefined ? { path: given["path"] } : {}),
        ...(given["auth"] === "none" ? { auth: "none" as const } : {}),
        ...(given["envelope"] === false ? { envelope: false } : {}),
        ...(given["query"] === undefined ? {} : { query: asMap(given["query"]) as Record<string, string> }),
        ...(given["order"] === undefined ? {} : { order: listOf(given["order"]) }),
        ...(given["items"] === undefined ? {} : { items: listOf(given["items"]) }),
        ...textsAt(given, "next", "bids", "asks", "price", "quantity", "version"),
        wallet: { ...base.wallet, ...(asMap(given["wallet"]) as Partial<Operation["wallet"]>) },
      },
    ];
  });
  return Object.fromEntries(entries);
}

function textsAt<K extends string>(map: ValueMap, ...keys: readonly K[]): Partial<Record<K, string>> {
  const texts = keys.filter((key) => typeof map[key] === "string").map((key) => [key, map[key]]);
  return Object.fromEntries(texts) as Partial<Record<K, string>>;
}

function numberAt<K extends string>(map: ValueMap, key: K): Partial<Record<K, number>> {
  const value = map[key];
  return typeof value === "number" ? ({ [key]: value } as Record<K, number>) : {};
}

function listOf(value: Value | undefined): string[] {
  return value === undefined ? [] : [value].flat().map(String);
}
