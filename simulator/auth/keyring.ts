/** The keys of a venue. */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { type ApiKey, type Claim, type CreatedKey, defaultSecret, type KeyState } from "../domain/account.ts";
import { invariant } from "../domain/invariant.ts";
import type { World } from "../domain/world.ts";

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

/** The keys of a venue, according to its journal. */
export interface JournaledKeys {
  readonly world: Pick<World, "keys">;
  readonly createdKeys: readonly CreatedKey[];
  /** Another map as soon as any key is another. */
  readonly keySalts: ReadonlyMap<string, string>;
  keyState(keyId: string): KeyState;
}

export interface Keyring {
  /** Those of the world file, and those that were created, with the secrets in force. */
  readonly all: () => readonly ApiKey[];
  readonly find: (keyId: string) => KnownKey | undefined;
  /** The id of the key with this name, as clients send it. */
  readonly idOf: (name: string) => string | undefined;
  /** The secrets of all other keys, by name. */
  readonly secretsBeside: (keyId: string) => ReadonlyMap<string, string>;
  /** Stands in for an unknown key, so that it costs the same work and the same time. */
  readonly stranger: KnownKey;
  /** Enabled or disabled is journaled state of the venue, so it is asked for at each request. */
  readonly stateOf: (keyId: string) => KeyState;
}

/** `suffix`: the end of every key id as clients see it; the world does not have it. */
export function createKeyring(journaled: () => JournaledKeys, suffix = ""): Keyring {
  let held = heldFor(journaled(), suffix);
  const current = (): typeof held => {
    const now = journaled();
    return now.keySalts === held.keySalts ? held : (held = heldFor(now, suffix));
  };
  const stranger = knownKey(
    { name: "", keyId: "", secret: "no key has this secret", client: null, claims: [] },
    -1,
  );
  return {
    all: () => current().keys,
    find: (keyId) => current().known.get(keyId),
    idOf: (name) => {
      const key = current().keys.find((one) => one.name === name);
      return key === undefined ? undefined : key.keyId + suffix;
    },
    secretsBeside: (keyId) =>
      new Map(
        current()
          .keys.filter((one) => one.keyId !== keyId)
          .map(({ name, secret }) => [name, secret]),
      ),
    stranger,
    stateOf: (keyId) => journaled().keyState(keyId),
  };
}

function heldFor({ world, createdKeys, keySalts }: JournaledKeys, suffix: string) {
  const keys = [...world.keys, ...createdKeys.map((key): ApiKey => ({ ...key, secret: "" }))].map((key) => {
    const salt = keySalts.get(key.keyId);
    const secret = salt === undefined ? key.secret : saltedSecret(world.keys, key.keyId, salt);
    return { ...key, secret: suffix === "" ? secret : secretBehind(key.keyId, suffix, secret) };
  });
  return {
    keys,
    keySalts,
    known: new Map(keys.map((key, index) => [key.keyId + suffix, knownKey(key, index)])),
  };
}

/** To work it out, one needs all secrets of the world file, and the journal. */
export const saltedSecret = (known: readonly ApiKey[], keyId: string, salt: string): string =>
  createHmac("sha256", known.map(({ secret }) => secret).join("\n"))
    .update(`${keyId}\n${salt}`)
    .digest("base64url");

/**
 * The secret of a key in a world beside `main`. A signature does not cover the key id, so with the same secret a request that
 * was sent to one world could be sent to another.
 */
const secretBehind = (keyId: string, suffix: string, secret: string): string =>
  secret === defaultSecret(keyId)
    ? defaultSecret(keyId + suffix)
    : createHmac("sha256", secret)
        .update(keyId + suffix)
        .digest("base64url");

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
