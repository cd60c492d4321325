/** Changes of money from outside and of the rules. */
import { invariant } from "../domain/invariant.ts";
import { outsideWorld } from "./ledger.ts";
import type { Appliers, Deposit, VenueState } from "./state.ts";

export const accountEvents: Appliers<
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
  | "KeyCreated"
  | "KeyRotated"
  | "FaultsSet"
  | "SettingsChanged"
  | "ClockMoved"
> = {
  DepositAddressCreated: (state, { kind: _, ...address }, at) => {
    state.addresses.push({ ...address, createdAt: at });
    // The record names the wallet, so from now on it is there, empty.
    state.ledger.open(address.client, address.asset, at);
  },
  DepositCreated: (state, { kind: _, ...deposit }, at) => {
    state.ledger.open(deposit.client, deposit.asset, at);
    const open = {
      createdAt: at,
      confirmations: 0,
      status: "PENDING",
      updatedAt: at,
      completedAt: null,
    } as const;
    state.deposits.push({ ...deposit, ...open });
  },
  DepositAdvanced: (state, { number, confirmations }, at) => {
    pendingDeposit(state, number, at).confirmations = confirmations;
  },
  DepositCompleted: (state, { number, status }, at) => {
    const deposit = pendingDeposit(state, number, at);
    deposit.status = status;
    deposit.completedAt = at;
    // Credited once, here and nowhere else (F-deposit-states).
    if (status === "CONFIRMED")
      state.ledger.transfer(outsideWorld, deposit.client, deposit.asset, deposit.amount, at);
  },
  BalanceAdjusted: (state, { client, asset, amount }, at) =>
    state.ledger.transfer(outsideWorld, client, asset, amount, at),
  HaltedSet: (state, { product, halted }, at) => {
    const market = state.market(product);
    market.halted = halted;
    market.updatedAt = at;
  },
  ApiEnabledSet: (state, { product, enabled }, at) => {
    const market = state.market(product);
    market.apiEnabled = enabled;
    market.updatedAt = at;
  },
  ClientRulesSet: (state, { client: index, product, rules }, at) => {
    const client = state.client(index);
    client.rules.set(product, rules);
    client.updatedAt = at;
  },
  TradingEnabledSet: (state, { client: index, enabled }, at) => {
    const client = state.client(index);
    client.tradingEnabled = enabled;
    client.updatedAt = at;
  },
  FeesSet: (state, { client: index, model, rates }, at) => {
    const client = state.client(index);
    client.feeModel = model;
    client.rates = rates;
    client.updatedAt = at;
  },
  KeyStateSet: ({ keyStates }, { keyId, state }) => void keyStates.set(keyId, state),
  KeyCreated: (state, { kind: _, salt, ...key }) => {
    state.createdKeys.push(key);
    state.keySalts = new Map(state.keySalts).set(key.keyId, salt);
  },
  KeyRotated: (state, { keyId, salt }) => {
    state.keySalts = new Map(state.keySalts).set(keyId, salt);
  },
  FaultsSet: (state, { rules }) => {
    state.faults = rules;
  },
  SettingsChanged: (state, { settings }) => {
    state.settings = settings;
  },
  ClockMoved: () => undefined,
};

function pendingDeposit(state: VenueState, number: number, at: number): Deposit {
  const deposit = state.deposits[number - 1];
  invariant(deposit !== undefined && deposit.status === "PENDING", `deposit ${number} is not pending`);
  deposit.updatedAt = at;
  return deposit;
}
