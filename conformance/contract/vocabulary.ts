import { channelNames } from "./stream-dialect.ts";

/** The filters of a list of orders, by the kit's names; a profile maps them to those of its target. */
export const listFilters = ["product", "status", "side", "type", "clientOrderId", "sort", "limit"] as const;

/**
 * Names that a profile may use besides operations. A misspelt name would silently turn cases into BLOCKED, so unknown
 * names are refused; names of user-defined scenarios begin with `x-`.
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

/**
 * The owner may choose any name for a fact, but a name that is close to one of these is reported as a typing mistake.
 */
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

/** The assumptions of the kit, AS-01 to AS-32; `fixtures/spec/freedoms.yaml` describes each. */
export const assumptionIds: readonly string[] = Array.from(
  { length: 32 },
  (_, index) => `AS-${String(index + 1).padStart(2, "0")}`,
);
