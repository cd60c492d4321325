/** Commands that change the rules: halts, product switches, limits, fees, key states, faults, settings, the clock. */
import { type Lots, lots, type Units, units } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import { fractionDigits, onGrid, scaleDecimal, spellDecimal } from "../domain/decimal-text.ts";
import type { Event } from "../domain/event.ts";
import type { Product } from "../domain/market.ts";
import { RATE_SCALE } from "../domain/order.ts";
import { type Decision, done, invalid, noProduct, offLot } from "./decision.ts";
import type { VenueState } from "./state.ts";

type RuleCommand = Extract<
  Command,
  {
    kind:
      | "SetHalted"
      | "SetApiEnabled"
      | "SetClientRules"
      | "SetTradingEnabled"
      | "SetFees"
      | "SetKeyState"
      | "SetFaults"
      | "ChangeSettings"
      | "MoveClock";
  }
>;

export function decideVenueRule(state: VenueState, command: RuleCommand): Decision {
  switch (command.kind) {
    case "SetHalted":
      return onProduct(state, command.product, (p) => [
        { kind: "HaltedSet", product: p.index, halted: command.halted },
      ]);
    case "SetApiEnabled":
      return onProduct(state, command.product, (p) => [
        { kind: "ApiEnabledSet", product: p.index, enabled: command.enabled },
      ]);
    case "SetClientRules":
      return setClientRules(state, command);
    case "SetTradingEnabled":
      return done([{ kind: "TradingEnabledSet", client: command.client, enabled: command.enabled }]);
    case "SetFees":
      return setFees(command);
    case "SetKeyState":
      return done([{ kind: "KeyStateSet", keyId: command.keyId, state: command.state }]);
    case "SetFaults":
      return done([{ kind: "FaultsSet", rules: command.rules }]);
    case "ChangeSettings":
      return done([{ kind: "SettingsChanged", settings: { ...state.settings, ...command.settings } }]);
    case "MoveClock":
      return done([{ kind: "ClockMoved" }]);
  }
}

function onProduct(state: VenueState, id: string, events: (product: Product) => Event[]): Decision {
  const market = state.marketOf(id);
  return market === null ? noProduct(id, state.world.products) : done(events(market.product));
}

type Given = Extract<Command, { kind: "SetClientRules" }>;

function setClientRules(state: VenueState, command: Given): Decision {
  const market = state.marketOf(command.product);
  if (market === null) return noProduct(command.product, state.world.products);
  const { product } = market;
  const limits = {
    minOrderSize: readSize(command, "minOrderSize", product),
    maxOrderSize: readSize(command, "maxOrderSize", product),
    minQuoteValue: readValue(command, "minQuoteValue", product),
    maxQuoteValue: readValue(command, "maxQuoteValue", product),
  };
  const { minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue } = limits;
  if (isDecision(minOrderSize)) return minOrderSize;
  if (isDecision(maxOrderSize)) return maxOrderSize;
  if (isDecision(minQuoteValue)) return minQuoteValue;
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
  if (text === null) return null;
  const size = onGrid(text, product.lotScale, product.lotUnit);
  return size === null ? offLot(field, text, product) : lots(size);
}

function readValue(command: Given, field: Value, { quote }: Product): Units | null | Decision {
  const text = command[field];
  if (text === null) return null;
  const spelled = spellDecimal(text);
  if (spelled !== null && fractionDigits(spelled) <= quote.scale)
    return units(scaleDecimal(spelled, quote.scale));
  return invalid(
    field,
    `${field} must have at most ${quote.scale} digits after the point, was ${text}: the ledger carries no more of ${quote.symbol}`,
  );
}

function setFees(command: Extract<Command, { kind: "SetFees" }>): Decision {
  const rates = {
    makerCommission: readRate(command.makerRate),
    takerCommission: readRate(command.takerRate),
    makerExchange: readRate(command.exchangeMakerRate),
    takerExchange: readRate(command.exchangeTakerRate),
  };
  const { makerCommission, takerCommission, makerExchange, takerExchange } = rates;
  if (makerCommission === null) return badRate("makerRate");
  if (takerCommission === null) return badRate("takerRate");
  if (makerExchange === null) return badRate("exchangeMakerRate");
  if (takerExchange === null) return badRate("exchangeTakerRate");
  const checked = { makerCommission, takerCommission, makerExchange, takerExchange };
  return done([{ kind: "FeesSet", client: command.client, model: command.model, rates: checked }]);
}

const badRate = (field: string): Decision =>
  invalid(
    field,
    `${field} must be a fraction between -0.1 and 0.5 as a decimal string with at most ${RATE_SCALE} decimals`,
  );

/** A fee rate as an integer at RATE_SCALE; a leading minus is a rebate. Null when it is out of range. */
export function readRate(text: string): bigint | null {
  const rebate = text.startsWith("-");
  const spelled = spellDecimal(rebate ? text.slice(1) : text);
  if (spelled === null || fractionDigits(spelled) > RATE_SCALE) return null;
  const rate = scaleDecimal(spelled, RATE_SCALE);
  const signed = rebate ? -rate : rate;
  return signed < -1_000_000_000n || signed > 5_000_000_000n ? null : signed;
}
