import { channelNames } from "./stream-dialect.ts";

/** What a list of orders may be asked for, by the kit's names; a profile maps them to those of its target. */
export const listFilters = ["product", "status", "side", "type", "clientOrderId", "sort", "limit"] as const;

/**
 * Names that a profile may use besides operations. A misspelt one would turn cases into BLOCKED without a word, so others
 * are refused; names of somebody's own scenarios begin with `x-`.
 */
export const capabilityNames: readonly string[] = [
  "ws",
  "ws.subscribe",
  "ws.ack",
  "ws.errors",
  "ws.sequence",
  "ws.bookVersion",
  ...channelNames.map((name) => `ws.${name}`),
  "cancel",
  ...listFilters.map((name) => `list.${name}`),
  "list.pages",
  "raw.socket",
  "liquidity.cross",
  "clock.control",
  "fault.inject",
];

export const credentialRoles = [
  "trader",
  "reader",
  "otherClient",
  "counterparty",
  "readOrders",
  "writeOrders",
  "readAccount",
  "noClaim",
  "orphan",
  "revoked",
] as const;

/** Facts are the owner's, so any name goes; one that is nearly one of these is a slip. */
export const factNames = [
  "mapping",
  "productListed",
  "severalKeys",
  "disabledProduct",
  "depositRequest",
  "limits",
  "marketBuyFees",
  "handshakeRefusal",
  "trigger",
] as const;

export const claimNames = ["read:orders", "write:orders", "read:account", "read:market-data"] as const;

/** The assumptions of the kit, AS-01 to AS-32; `fixtures/spec/freedoms.yaml` says what each is about. */
export const assumptionIds: readonly string[] = Array.from(
  { length: 32 },
  (_, index) => `AS-${String(index + 1).padStart(2, "0")}`,
);
