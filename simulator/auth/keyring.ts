/** The keys of a venue. */
import { createSecretKey, type KeyObject } from "node:crypto";
import type { ApiKey, Claim, KeyState } from "../domain/account.ts";
import { invariant } from "../domain/invariant.ts";

/** The caller of a request whose signature has been verified. */
export interface Caller {
  /** Index of the key in the world. */
  readonly key: number;
  readonly keyId: string;
  readonly name: string;
  /** Index of the client, or null for a key without a client. */
  readonly client: number | null;
  readonly claims: readonly Claim[];
}

export interface KnownKey {
  readonly caller: Caller;
  readonly secret: string;
  /** The secret as `createHmac` takes it quickest: made once, and not for each request. */
  readonly signingKey: KeyObject;
}

export interface Keyring {
  readonly find: (keyId: string) => KnownKey | undefined;
  /** Stands in for an unknown key, so that it costs the same work and the same time. */
  readonly stranger: KnownKey;
  /** Enabled or disabled is journaled state of the venue, so it is asked for at each request. */
  readonly stateOf: (keyId: string) => KeyState;
}

/** `suffix`: what every key id ends in for clients, and not in the world. */
export function createKeyring(
  keys: readonly ApiKey[],
  stateOf: (keyId: string) => KeyState,
  suffix = "",
): Keyring {
  const known = new Map(keys.map((key, index) => [key.keyId + suffix, knownKey(key, index)]));
  const stranger = knownKey(
    { name: "", keyId: "", secret: "no key has this secret", client: null, claims: [] },
    -1,
  );
  return { find: (keyId) => known.get(keyId), stranger, stateOf };
}

function knownKey(key: ApiKey, index: number): KnownKey {
  const caller: Caller = {
    key: index,
    keyId: key.keyId,
    name: key.name,
    client: key.client,
    claims: key.claims,
  };
  invariant(key.secret.length > 0, "an API key needs a secret of at least one character");
  return { caller, secret: key.secret, signingKey: createSecretKey(key.secret, "utf8") };
}
