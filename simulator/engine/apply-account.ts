/** Changes of money from outside and of the rules. */
import { units } from "../domain/amount.ts";
import type { Event } from "../domain/event.ts";
import { invariant } from "../domain/invariant.ts";
import { OUTSIDE_WORLD } from "./ledger.ts";
import type { VenueState } from "./state.ts";

type AccountEvent = Extract<
  Event,
  {
    kind:
      | "DepositAddressCreated"
      | "DepositCreated"
      | "DepositAdvanced"
      | "DepositCompleted"
      | "BalanceAdjusted"
      | "HaltedSet"
      | "ApiEnabledSet"
      | "ClientRulesSet"
      | "TradingEnabledSet"
      | "FeesSet"
      | "KeyStateSet"
      | "FaultsSet"
      | "SettingsChanged"
      | "ClockMoved";
  }
>;

export function applyAccount(state: VenueState, event: AccountEvent, at: number): void {
  switch (event.kind) {
    case "DepositAddressCreated": {
      const { kind: _, ...address } = event;
      state.addresses.push({ ...address, createdAt: at });
      // The record names the wallet, so from now on it is there, empty.
      state.ledger.wallet(event.client, event.asset, at);
      return;
    }
    case "DepositCreated": {
      const { kind: _, ...deposit } = event;
      state.ledger.wallet(event.client, event.asset, at);
      state.deposits.push({
        ...deposit,
        createdAt: at,
        confirmations: 0,
        status: "PENDING",
        updatedAt: at,
        completedAt: null,
      });
      return;
    }
    case "DepositAdvanced":
    case "DepositCompleted":
      return applyDeposit(state, event, at);
    case "BalanceAdjusted":
      return state.ledger.transfer(OUTSIDE_WORLD, event.client, event.asset, event.amount, at);
    default:
      return applyRule(state, event, at);
  }
}

function applyDeposit(
  state: VenueState,
  event: Extract<Event, { kind: "DepositAdvanced" | "DepositCompleted" }>,
  at: number,
): void {
  const deposit = state.deposits[event.number - 1];
  invariant(deposit !== undefined && deposit.status === "PENDING", `deposit ${event.number} is not pending`);
  deposit.updatedAt = at;
  if (event.kind === "DepositAdvanced") {
    deposit.confirmations = event.confirmations;
    return;
  }
  deposit.status = event.status;
  deposit.completedAt = at;
  // Credited once, here and nowhere else (F-deposit-states).
  if (event.status === "CONFIRMED")
    state.ledger.transfer(OUTSIDE_WORLD, deposit.client, deposit.asset, units(deposit.amount), at);
}

type RuleEvent = Exclude<
  AccountEvent,
  {
    kind:
      | "DepositAddressCreated"
      | "DepositCreated"
      | "DepositAdvanced"
      | "DepositCompleted"
      | "BalanceAdjusted";
  }
>;

function applyRule(state: VenueState, event: RuleEvent, at: number): void {
  switch (event.kind) {
    case "HaltedSet":
    case "ApiEnabledSet": {
      const market = state.market(event.product);
      if (event.kind === "HaltedSet") market.halted = event.halted;
      else market.apiEnabled = event.enabled;
      market.updatedAt = at;
      return;
    }
    case "ClientRulesSet": {
      const client = state.client(event.client);
      client.rules.set(event.product, event.rules);
      client.updatedAt = at;
      return;
    }
    case "TradingEnabledSet": {
      const client = state.client(event.client);
      client.tradingEnabled = event.enabled;
      client.updatedAt = at;
      return;
    }
    case "FeesSet": {
      const client = state.client(event.client);
      client.feeModel = event.model;
      client.rates = event.rates;
      client.updatedAt = at;
      return;
    }
    case "KeyStateSet":
      state.keyStates.set(event.keyId, event.state);
      return;
    case "FaultsSet":
      state.faults = event.rules;
      return;
    case "SettingsChanged":
      state.settings = event.settings;
      return;
    case "ClockMoved":
      return;
  }
}
