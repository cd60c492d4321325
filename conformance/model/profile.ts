import type { ControlAccess, Credential } from "./credential.ts";
import type { StreamPlan } from "./stream.ts";
import type { ValueMap } from "./value.ts";

export type Presence = "present" | "absent" | "unknown";

export const safetyClasses = ["read", "reject-only", "rests", "trades", "disruptive"] as const;
export type SafetyClass = (typeof safetyClasses)[number];

export function isWithin(wanted: SafetyClass, allowed: SafetyClass): boolean {
  return safetyClasses.indexOf(wanted) <= safetyClasses.indexOf(allowed);
}

/** Where a record of the wallets keeps what. */
export interface WalletNames {
  readonly asset: string;
  readonly balance: string;
  readonly hold: string;
  readonly available: string;
}

/** How a logical operation is spelled by this target. The specification fixes three; the profile maps the rest. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly auth: "signed" | "none";
  /** Canonical parameter name to the target's query name. */
  readonly query: Readonly<Record<string, string>>;
  /** Is a 2xx wrapped in the envelope (GEN-07)? */
  readonly envelope: boolean;
  /** True for the operations whose method and path stand in the specification. */
  readonly specified: boolean;
  /** Where a page of a list names the cursor of the next one; it is sent back as the query `cursor`. */
  readonly next?: string;
  /** JSON pointers, the first that resolves is taken. */
  readonly order: readonly string[];
  readonly items: readonly string[];
  readonly bids: string;
  readonly asks: string;
  readonly wallet: WalletNames;
  /** The number that the stream counts the states of a book with. */
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
  /** Has the market of this product something to trade against? */
  readonly liquid?: boolean;
}

export interface Budget {
  readonly requests: number;
  readonly orders: number;
  /** Orders that may rest at the same time. */
  readonly openOrders: number;
  readonly minutes: number;
  readonly rps: number;
  readonly concurrency: number;
}

export interface Safety {
  readonly allow: SafetyClass;
  readonly budget: Budget;
  /** Quote asset to the most that all orders of a run may come to. */
  readonly notional: Readonly<Record<string, string>>;
  readonly notionalPerOrder: Readonly<Record<string, string>>;
  readonly leftovers: number;
  readonly products: Readonly<Record<string, ProductPlan>>;
}

/** A description of a target, every default filled in. */
export interface Profile {
  readonly name: string;
  readonly kind: "local" | "staging" | "sandbox";
  readonly baseUrl: URL;
  readonly loopback: boolean;
  readonly allowHosts: readonly string[];
  /** `ca`: certificates in PEM, taken from the file that the profile names. */
  readonly tls: { readonly ca?: string; readonly insecure: boolean };
  readonly safety: Safety;
  readonly facts: ValueMap;
  readonly credentials: Readonly<Record<string, Credential>>;
  /** Credentials that were left out, with the environment variables that are not set. */
  readonly withoutVariables: Readonly<Record<string, readonly string[]>>;
  readonly auth: {
    readonly signedPath: "path" | "pathAndQuery";
    readonly clockToleranceMs?: number;
    /** Refused credentials a minute that the target stands before it locks the key. */
    readonly lockoutAfter?: number;
  };
  readonly capabilities: Readonly<Record<string, Presence>>;
  readonly operations: Readonly<Record<string, Operation | "absent">>;
  /** Undefined: the profile says nothing of it. */
  readonly stream?: StreamPlan;
  /** The sections that can promise something, as they stand in the file. */
  readonly said: ValueMap;
  readonly assumptions: Readonly<Record<string, "adopt" | "ignore" | "reject">>;
  readonly control?: ControlAccess;
  /** Of the file that it was read from. */
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
 * Ours to break: on this machine, and nobody says that it stands for more. A staging gateway behind a tunnel has a
 * loopback address and says so with its `kind`; it is guarded like any other machine.
 */
export function isOurs(profile: Pick<Profile, "loopback" | "kind">): boolean {
  return profile.loopback && profile.kind === "local";
}

/** This machine: where the kit may speak without TLS, spend freely and break things on purpose. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/.test(hostname)
  );
}
