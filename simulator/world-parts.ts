/** What the parts of a world take from its settings and its keys: of one that lives here, and of one that is followed. */
import type { Keyring } from "./auth/keyring.ts";
import { type CheckSettings, checkSettings } from "./auth/settings.ts";
import type { ControlledWorld } from "./control/control-route.ts";
import type { ApiKey } from "./domain/account.ts";
import type { Access } from "./http/access.ts";
import { createRateLimit } from "./http/limits.ts";
import type { InternalOptions } from "./internal-options.ts";
import { StartFailure, type WorldQuota } from "./options.ts";
import type { HubOptions } from "./stream/hub.ts";
import type { ServerSettings } from "./world/server-settings.ts";

/** With those of its file, which a world beside `main` does not take: they may be those of `main`. */
export function secretsOf(
  keyring: Keyring,
  ofFile: readonly ApiKey[],
  suffix: string,
): ControlledWorld["secrets"] {
  let held: { readonly keys: readonly ApiKey[]; readonly all: readonly ApiKey[] } | undefined;
  return () => {
    const keys = keyring.all();
    if (held?.keys !== keys) held = { keys, all: suffix === "" ? keys : [...keys, ...ofFile] };
    return held.all;
  };
}

export function authSettings({ auth, diagnostics }: ServerSettings): CheckSettings {
  const checked = checkSettings({ ...auth, diagnostics: diagnostics ? "on" : "off" });
  if (!checked.ok) throw new StartFailure(checked.error);
  return checked.value;
}

export function gatewayOptions({ validation, candles, rateLimit }: ServerSettings) {
  const { enabled, requestsPerSecond, burst } = rateLimit;
  return {
    ...validation,
    fillCandleGaps: candles.fillGaps,
    rateLimit: enabled ? { requestsPerSecond, burst } : null,
  };
}

export function rateLimits({ rateLimit }: ServerSettings): Pick<Access, "keyLimit" | "addressLimit"> {
  const { enabled, requestsPerSecond, burst, addressRequestsPerSecond } = rateLimit;
  if (!enabled) return {};
  const now = (): number => performance.now();
  const ofAddresses = { perSecond: addressRequestsPerSecond, burst: addressRequestsPerSecond };
  return {
    keyLimit: createRateLimit({ perSecond: requestsPerSecond, burst }, now),
    addressLimit: createRateLimit(ofAddresses, now),
  };
}

export function worldLimit({ requestsPerSecond }: WorldQuota = {}): Pick<Access, "worldLimit"> {
  if (requestsPerSecond === undefined) return {};
  const rate = { perSecond: requestsPerSecond, burst: requestsPerSecond };
  const whose = `This world may get ${requestsPerSecond} requests a second, of all its keys together.`;
  const limit = createRateLimit(rate, () => performance.now(), whose);
  return { worldLimit: () => limit("") };
}

export const hubOptions = (
  { limits }: ServerSettings,
  { onNotice }: InternalOptions,
): Pick<HubOptions, "limits" | "onFailure"> => ({
  limits: {
    connectionsPerKey: limits.streamConnectionsPerKey,
    messagesPerSecond: limits.streamMessagesPerSecond,
    messageBytes: limits.streamMessageBytes,
    subscriptions: limits.streamSubscriptions,
    queueBytes: limits.streamQueueBytes,
    queueMessages: limits.streamQueueMessages,
    subscribeTimeoutMs: limits.streamSubscribeTimeoutMs,
    pingEveryMs: limits.streamPingEveryMs,
    silenceMs: limits.streamSilenceMs,
  },
  onFailure: (error) =>
    onNotice?.(`A connection of the stream was closed with 1011: a bug in gatewright. ${textOf(error)}`),
});

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
