/** Clients and the API keys that act for them. */
import { allClaims } from "../../domain/account.ts";
import {
  byName,
  decimal,
  flag,
  list,
  name,
  oneOf,
  optional,
  orNull,
  patterned,
  rate,
  section,
  text,
  withDefault,
} from "../../schema/fields.ts";
import { worldDefaults } from "../defaults.ts";

const limit = (description: string, unit: string) => optional(decimal(description, { unit }));

export const RulesSchema = section(
  {
    enabled: withDefault(flag("Whether this client may trade the product."), worldDefaults.rules.enabled),
    minOrderSize: limit("Smallest quantity for this client. Left out: the product's.", "base asset"),
    maxOrderSize: limit("Largest quantity for this client. Left out: the product's.", "base asset"),
    minQuoteValue: limit(
      "Smallest order value for this client, of every order with a price or a quote_value. Left out: the product's.",
      "quote asset",
    ),
    maxQuoteValue: limit(
      "Largest order value for this client, of every order with a price or a quote_value. Left out: the product's.",
      "quote asset",
    ),
  },
  "What one client may do with one product.",
);

const exchangeRate = (who: string) =>
  withDefault(
    rate(`Exchange fee of ${who}, on top of the commission. COST_PLUS only.`),
    worldDefaults.client.exchangeTakerRate,
  );

export const ClientSchema = section(
  {
    name: name("Name of the client in this file and in the console."),
    feeModel: oneOf(
      ["ALL_IN", "COST_PLUS"],
      "ALL_IN: one commission. COST_PLUS: a commission, and the exchange fee on top.",
    ),
    makerRate: rate("Commission on value that rested in the book; negative for a rebate."),
    takerRate: rate("Commission on value taken from the book."),
    exchangeMakerRate: exchangeRate("a maker"),
    exchangeTakerRate: exchangeRate("a taker"),
    balances: withDefault(
      byName(
        decimal("Balance at the start.", { unit: "asset" }),
        "Balances at the start, by asset symbol. Assets left out start at zero.",
      ),
      {},
    ),
    rules: withDefault(byName(RulesSchema, "Limits of this client, by product id."), {}),
  },
  "A client of the gateway: owner of orders, wallets and limits.",
);

export const KeySchema = section(
  {
    name: name("Name of the key in this file and on the command line."),
    keyId: optional(
      patterned(
        "^[A-Za-z0-9_-]{1,64}$",
        "must be 1 to 64 letters, digits, hyphens or underscores",
        "What goes into X-API-KEY. Default: gw_ and the name.",
      ),
    ),
    secret: optional(
      patterned(
        "^[\\x21-\\x7e]{16,256}$",
        "must be 16 to 256 printable ASCII characters without blanks",
        "Shared secret, used as UTF-8 text. Default: sandbox-only-secret-of- and the key id.",
      ),
    ),
    client: orNull(text(40, "Name of the client it acts for, or null for a key without a client.")),
    claims: list(oneOf(allClaims, "A permission."), "What the key may do.", { uniqueItems: true }),
    enabled: withDefault(flag("Whether the key works from the start."), worldDefaults.key.enabled),
  },
  "An API key.",
);
