/** Commands that change the rules: halts, product switches, limits, fees, key states, faults, settings, the clock. */
import type { Lots, Units } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { Product } from "../domain/market.ts";
import { rateScale } from "../domain/order.ts";
import { lotsOf, unitsOf } from "../domain/steps.ts";
import { type Deciders, type Decision, done, invalid, noProduct, offLot } from "./decision.ts";
import type { VenueState } from "./state.ts";

export const venueRules: Deciders<
  | "SetHalted"
  | "SetApiEnabled"
  | "SetClientRules"
  | "SetTradingEnabled"
  | "SetFees"
  | "SetKeyState"
  | "CreateKey"
  | "RotateKey"
  | "SetFaults"
  | "ChangeSettings"
  | "MoveClock"
> = {
  SetHalted: (state, { product, halted }) =>
    onProduct(state, product, ({ index }) => ({ kind: "HaltedSet", product: index, halted })),
  SetApiEnabled: (state, { product, enabled }) =>
    onProduct(state, product, ({ index }) => ({ kind: "ApiEnabledSet", product: index, enabled })),
  SetClientRules: setClientRules,
  SetTradingEnabled: (_state, { client, enabled }) => done([{ kind: "TradingEnabledSet", client, enabled }]),
  SetFees: setFees,
  SetKeyState: (_state, { keyId, state }) => done([{ kind: "KeyStateSet", keyId, state }]),
  CreateKey: createKey,
  RotateKey: (_state, { keyId, salt }) => done([{ kind: "KeyRotated", keyId, salt }]),
  SetFaults: (_state, { rules }) => done([{ kind: "FaultsSet", rules }]),
  ChangeSettings: ({ settings: before }, { settings }) =>
    done([{ kind: "SettingsChanged", settings: { ...before, ...settings } }]),
  MoveClock: () => done([{ kind: "ClockMoved" }]),
};

function onProduct(state: VenueState, id: string, eventOf: (product: Product) => Event): Decision {
  const market = state.marketOf(id);
  return market === null ? noProduct(id, state.world.products) : done([eventOf(market.product)]);
}

export const mostCreatedKeys = 1000;

function createKey(state: VenueState, { kind: _, ...key }: Command<"CreateKey">): Decision {
  const isTaken = state.keys.some(({ name, keyId }) => name === key.name || keyId === key.keyId);
  if (isTaken)
    return invalid("name", `There is a key ${key.name} already: choose another name, or rotate that key`);
  if (state.createdKeys.length >= mostCreatedKeys)
    return invalid("name", `${mostCreatedKeys} keys were created, and no more are possible`);
  return done([{ kind: "KeyCreated", ...key }]);
}

type Given = Command<"SetClientRules">;

function setClientRules(state: VenueState, command: Given): Decision {
  const market = state.marketOf(command.product);
  if (market === null) return noProduct(command.product, state.world.products);
  const { product } = market;
  const minOrderSize = readSize(command, "minOrderSize", product);
  if (isDecision(minOrderSize)) return minOrderSize;
  const maxOrderSize = readSize(command, "maxOrderSize", product);
  if (isDecision(maxOrderSize)) return maxOrderSize;
  const minQuoteValue = readValue(command, "minQuoteValue", product);
  if (isDecision(minQuoteValue)) return minQuoteValue;
  const maxQuoteValue = readValue(command, "maxQuoteValue", product);
  if (isDecision(maxQuoteValue)) return maxQuoteValue;
  if (minOrderSize !== null && maxOrderSize !== null && minOrderSize > maxOrderSize)
    return aboveMost(command, "minOrderSize", "maxOrderSize");
  if (minQuoteValue !== null && maxQuoteValue !== null && minQuoteValue > maxQuoteValue)
    return aboveMost(command, "minQuoteValue", "maxQuoteValue");
  const rules = { enabled: command.enabled, minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue };
  return done([{ kind: "ClientRulesSet", client: command.client, product: product.index, rules }]);
}

type Size = "minOrderSize" | "maxOrderSize";
type Value = "minQuoteValue" | "maxQuoteValue";

const isDecision = (read: object | bigint | number | null): read is Decision =>
  typeof read === "object" && read !== null;

const aboveMost = (command: Given, least: Size | Value, most: Size | Value): Decision =>
  invalid(least, `${least} ${String(command[least])} is above ${most} ${String(command[most])}`);

function readSize(command: Given, field: Size, product: Product): Lots | null | Decision {
  const text = command[field];
  return text === null ? null : (lotsOf(product, text) ?? offLot(field, text, product));
}

function readValue(command: Given, field: Value, { quote }: Product): Units | null | Decision {
  const text = command[field];
  if (text === null) return null;
  const what = `${field} must have at most ${quote.scale} digits after the point, was ${text}`;
  return (
    unitsOf(text, quote.scale) ?? invalid(field, `${what}: the ledger carries no more of ${quote.symbol}`)
  );
}

function setFees(_state: VenueState, command: Command<"SetFees">): Decision {
  const makerCommission = readRate(command.makerRate);
  if (makerCommission === null) return badRate("makerRate");
  const takerCommission = readRate(command.takerRate);
  if (takerCommission === null) return badRate("takerRate");
  const makerExchange = readRate(command.exchangeMakerRate);
  if (makerExchange === null) return badRate("exchangeMakerRate");
  const takerExchange = readRate(command.exchangeTakerRate);
  if (takerExchange === null) return badRate("exchangeTakerRate");
  const rates = { makerCommission, takerCommission, makerExchange, takerExchange };
  return done([{ kind: "FeesSet", client: command.client, model: command.model, rates }]);
}

const badRate = (field: string): Decision =>
  invalid(
    field,
    `${field} must be a fraction between -0.1 and 0.5 as a decimal string with at most ${rateScale} decimals`,
  );

/** A fee rate as an integer at rateScale; a leading minus is a rebate. Null when it is out of range. */
export function readRate(text: string): bigint | null {
  const rebate = text.startsWith("-");
  const rate = unitsOf(rebate ? text.slice(1) : text, rateScale);
  if (rate === null) return null;
  const signed = rebate ? -rate : rate;
  return signed < -1_000_000_000n || signed > 5_000_000_000n ? null : signed;
}
