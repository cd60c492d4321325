import type { Gateway } from "./gateway.ts";
import type { Site } from "./site.ts";

export type Kind =
  | "rare state"
  | "race"
  | "arithmetic"
  | "other client"
  | "stream"
  | "signature"
  | "claims"
  | "validation"
  | "products"
  | "lists"
  | "stops"
  | "money"
  | "placement";

/** One bug that a gateway could have: data, a small change of a part of the gateway, and a trial that shows it. */
export interface Bug {
  readonly id: string;
  /** The behaviour of the gateway, in one sentence. */
  readonly says: string;
  /** Clauses that it breaks. */
  readonly clauses: readonly string[];
  /** It shows in a rare state, in a race or to another client only. */
  readonly hard: boolean;
  readonly kind: Kind;
  readonly install: (gateway: Gateway) => void;
  /** The trial: does what a client may do, and tells whether the gateway did what `says` says. */
  readonly shows: (site: Site) => Promise<boolean>;
}

type Method<T, K extends keyof T> = T[K] extends (...args: infer A) => infer R ? (...args: A) => R : never;

/** Puts another method in the place of one, and gives it the one that was there. */
export function replace<T extends object, K extends keyof T>(
  part: T,
  name: K,
  make: (legal: Method<T, K>) => Method<T, K>,
): void {
  const legal = (part[name] as () => unknown).bind(part) as unknown as Method<T, K>;
  part[name] = make(legal) as T[K];
}
