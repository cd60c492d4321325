import type { Claim } from "./domain/account.ts";

/** An API key of a world, secret included: this is a sandbox. */
export interface WorldKey {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
  /** Name of the client behind it; null for a key with no client. */
  readonly client: string | null;
  readonly claims: readonly Claim[];
}
