import type { ControlAccess, Credential } from "./credential.ts";
import type { StreamPlan } from "./stream.ts";
import type { ValueMap } from "./value.ts";

export type Presence = "present" | "absent" | "unknown";

export const safetyClasses = ["read", "reject-only", "rests", "trades", "disruptive"] as const;
export type SafetyClass = (typeof safetyClasses)[number];

export function isWithin(wanted: SafetyClass, allowed: SafetyClass): boolean {
  return safetyClasses.indexOf(wanted) <= safetyClasses.indexOf(allowed);
}

/** The names of the fields in a wallet record. */
export interface WalletNames {
  readonly asset: string;
  readonly balance: string;
  readonly hold: string;
  readonly available: string;
}

/** The target's spelling of a logical operation. The specification fixes three; the profile maps the rest. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly auth: "signed" | "none";
  /** Canonical parameter name to the target's query name. */
  readonly query: Readonly<Record<string, string>>;
  /** Is a 2xx wrapped in the envelope (GEN-07)? */
  readonly envelope: boolean;
  /** True for the operations whose method and path are in the specification. */
  readonly specified: boolean;
  /** The pointer to the next cursor in a page of a list; the cursor is sent back as the query `cursor`. */
  readonly next?: string;
  /** JSON pointers; the first one that resolves is used. */
  readonly order: readonly string[];
  readonly items: readonly string[];
  readonly bids: string;
  readonly asks: string;
  /** Pointers into one level of a book. */
  readonly price?: string;
  readonly quantity?: string;
  readonly wallet: WalletNames;
  /** The version number that the stream gives to the states of a book. */
  readonly version?: string;
}

export interface ProductPlan {
  readonly buyFar?: string;
  readonly sellFar?: string;
  readonly buyNear?: string;
  readonly sellNear?: string;
  readonly buyCross?: string;
  readonly sellCross?: string;
  readonly qty?: string;
  readonly spend?: string;
  readonly qtyStep?: string;
  readonly priceStep?: string;
  /** Does the market of this product have orders to trade against? */
  readonly liquid?: boolean;
}

export interface Budget {
  readonly requests: number;
  readonly orders: number;
  /** The most orders that may rest at the same time. */
  readonly openOrders: number;
  readonly minutes: number;
  readonly rps: number;
  readonly concurrency: number;
}

export interface Safety {
  readonly allow: SafetyClass;
  readonly budget: Budget;
  /** The limit of the notional of all orders of a run, by quote asset. */
  readonly notional: Readonly<Record<string, string>>;
  readonly notionalPerOrder: Readonly<Record<string, string>>;
  readonly leftovers: number;
  /** Routes besides the mapped ones that a case may change something at, as `POST /path/{name}`. */
  readonly paths: readonly string[];
  readonly products: Readonly<Record<string, ProductPlan>>;
}

/** A description of a target, with all defaults filled in. */
export interface Profile {
  readonly name: string;
  readonly kind: "local" | "staging" | "sandbox";
  readonly baseUrl: URL;
  readonly loopback: boolean;
  readonly allowHosts: readonly string[];
  /** Texts in PEM, taken from the files that the profile names: `cert` and `key` are those of the kit itself. */
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly insecure: boolean;
  };
  /** Headers on every request, for what stands in front of a target. */
  readonly http: { readonly headers: Readonly<Record<string, string>> };
  readonly safety: Safety;
  readonly facts: ValueMap;
  /** Products and facts hold as far as the target lists them: a profile of many worlds. */
  readonly onlyListed: boolean;
  readonly credentials: Readonly<Record<string, Credential>>;
  /** Optional credentials that were left out, each with the environment variables that are not set. */
  readonly withoutVariables: Readonly<Record<string, readonly string[]>>;
  readonly auth: {
    readonly signedPath: "path" | "pathAndQuery";
    readonly clockToleranceMs?: number;
    /** The number of refused credentials per minute after which the target locks the key. */
    readonly lockoutAfter?: number;
  };
  readonly capabilities: Readonly<Record<string, Presence>>;
  readonly operations: Readonly<Record<string, Operation | "absent">>;
  /** Undefined: the profile does not describe a stream. */
  readonly stream?: StreamPlan;
  /** The sections that can contain promises, as written in the file. */
  readonly said: ValueMap;
  readonly assumptions: Readonly<Record<string, "adopt" | "ignore" | "reject">>;
  readonly control?: ControlAccess;
  /** The digest of the profile's file. */
  readonly digest?: string;
  /** The expectation file of this target. */
  readonly expectations?: string;
  readonly timeouts: { readonly requestMs: number };
  /** Value of an X-Request-Source header, so that operators find the traffic. */
  readonly requestSource?: string;
}

export function capabilityOf(profile: Profile, name: string): Presence {
  return profile.capabilities[name] ?? "unknown";
}

/**
 * A target that the kit may break: it runs on this machine, and its profile does not give it another kind. A staging
 * gateway behind a tunnel has a loopback address; its profile states its `kind`, and it is guarded like any remote
 * machine.
 */
export function isOurs(profile: Pick<Profile, "loopback" | "kind">): boolean {
  return profile.loopback && profile.kind === "local";
}

/** This machine: here the kit may send without TLS, spend freely and break things on purpose. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/.test(hostname)
  );
}
