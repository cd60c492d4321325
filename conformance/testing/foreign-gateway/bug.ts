import type { Gateway } from "./gateway.ts";

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

/** One bug that a gateway could have, as data and a small change of one of its parts. */
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
