/** An authenticator with a clock that the test sets, and one key of each kind. */
import { type ApiKey, allClaims, type KeyState } from "../../domain/account.ts";
import { type Authenticator, createAuthenticator, type ReceivedRequest } from "../authenticate.ts";
import { createKeyring } from "../keyring.ts";
import { NonceMemory } from "../nonces.ts";
import { type CheckSettings, checkSettings } from "../settings.ts";
import { secret, traderKeyId } from "./sign.ts";

export const now = 1_767_225_600_000;

export const testKeys: readonly ApiKey[] = [
  { name: "trader", keyId: traderKeyId, secret: secret, client: 0, claims: allClaims },
  { name: "reader", keyId: "kid_reader", secret: "another-secret", client: 0, claims: ["read:orders"] },
  { name: "disabled", keyId: "kid_disabled", secret: "a-third-secret", client: 1, claims: allClaims },
  { name: "orphan", keyId: "kid_orphan", secret: "a-fourth-secret", client: null, claims: allClaims },
];

export interface TestVenue {
  readonly authenticator: Authenticator;
  readonly nonces: NonceMemory;
  readonly settings: CheckSettings;
  readonly clock: { now: number };
  readonly keyStates: Map<string, KeyState>;
}

export function testVenue(given: Partial<CheckSettings> = {}, keys: readonly ApiKey[] = testKeys): TestVenue {
  const settings = checkSettings(given);
  if (!settings.ok) throw new Error(settings.error);
  const clock = { now: now };
  const keyStates = new Map<string, KeyState>([["kid_disabled", "disabled"]]);
  const nonces = new NonceMemory(settings.value);
  const journaled = {
    world: { keys },
    createdKeys: [],
    keySalts: new Map<string, string>(),
    keyState: (keyId: string) => keyStates.get(keyId) ?? "enabled",
  };
  const keyring = createKeyring(() => journaled);
  const authenticator = createAuthenticator({
    settings: settings.value,
    keyring,
    nonces,
    now: () => clock.now,
  });
  return { authenticator, nonces, settings: settings.value, clock, keyStates };
}

export const received = (target: string, more: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
  method: "GET",
  target,
  host: "localhost:8080",
  contentType: "application/json",
  body: new Uint8Array(),
  ...more,
});
