/** Money from outside: deposit addresses, deposits with their confirmations, plain adjustments (F-deposit-states). */
import { noUnits, type Units, units } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import { formatScaled, scaleDecimal, spellDecimal } from "../domain/decimal-text.ts";
import type { Event } from "../domain/event.ts";
import { keyedDraw } from "../domain/keyed-hash.ts";
import type { Asset, Network } from "../domain/market.ts";
import { unitsOf } from "../domain/steps.ts";
import { type Deciders, type Decision, done, invalid, rejected } from "./decision.ts";
import type { Deposit, VenueState } from "./state.ts";

export const depositDeciders: Deciders<
  "CreateDepositAddress" | "CreateDeposit" | "AdvanceDeposit" | "FailDeposit" | "AdjustBalance"
> = {
  CreateDepositAddress: (state, { client, asset, network }) => {
    const route = routeFor(state, asset, network);
    if ("outcome" in route) return route;
    const event = newAddress(state, client, route);
    return done([event], event.number);
  },
  CreateDeposit: createDeposit,
  AdvanceDeposit: (state, { deposit: number, confirmations: more }) =>
    onPending(state, number, ({ confirmations, confirmationsRequired }) =>
      progress(number, confirmations + more, confirmationsRequired),
    ),
  FailDeposit: (state, { deposit: number }) =>
    onPending(state, number, () => [{ kind: "DepositCompleted", number, status: "FAILED" }]),
  AdjustBalance: adjustBalance,
};

function onPending(state: VenueState, number: number, eventsOf: (deposit: Deposit) => Event[]): Decision {
  const deposit = state.deposits[number - 1];
  if (deposit === undefined) return invalid("deposit", "There is no such deposit");
  if (deposit.status !== "PENDING") return invalid("deposit", `The deposit is ${deposit.status} already`);
  return done(eventsOf(deposit), number);
}

interface Route {
  readonly asset: Asset;
  readonly network: Network;
}

function routeFor(state: VenueState, symbol: string, network: string | null): Route | Decision {
  const asset = state.world.assets.find((candidate) => candidate.symbol === symbol);
  if (asset === undefined || asset.networks.length === 0) {
    const message =
      asset === undefined ? `Unknown asset ${symbol}` : `${symbol} has no network and takes no deposits`;
    return rejected({ code: "ASSET_NOT_SUPPORTED", message, field: "asset" });
  }
  const found = asset.networks.find((candidate) =>
    network === null ? candidate.isDefault : candidate.id === network,
  );
  if (found === undefined || !found.depositEnabled) {
    const known = asset.networks.map((candidate) => candidate.id).join(", ");
    const message =
      found === undefined
        ? `${symbol} has no network ${network ?? "by default"}; it has ${known}`
        : `Deposits through ${found.id} are disabled`;
    return rejected({ code: "NETWORK_NOT_SUPPORTED", message, field: "network" });
  }
  return { asset, network: found };
}

/** Every call makes a new address, marked as a simulator's and without a valid checksum: no real funds can reach it. */
function newAddress(state: VenueState, client: number, route: Route): Event<"DepositAddressCreated"> {
  const number = state.addresses.length + 1;
  const { seed } = state.world;
  const tail = [1, 2, 3, 4]
    .map((word) => keyedDraw(seed, "deposit-address", String(word), number).toString(36).padStart(7, "0"))
    .join("");
  const identifier = route.network.accountIdentifierName === null ? null : String(100_000 + number);
  return {
    kind: "DepositAddressCreated",
    number,
    client,
    asset: route.asset.index,
    network: route.network.id,
    address: `${route.network.addressPrefix}sim${tail}`,
    accountIdentifier: identifier,
  };
}

function createDeposit(state: VenueState, command: Command<"CreateDeposit">): Decision {
  const route = routeFor(state, command.asset, command.network);
  if ("outcome" in route) return route;
  const amount = readAmount(command.amount, route.asset);
  if (typeof amount === "string") return invalid("amount", amount);
  const least = spellDecimal(route.network.minDepositAmount);
  if (least !== null && amount < scaleDecimal(least, route.asset.scale)) {
    return invalid(
      "amount",
      `${route.network.id} takes no deposit below ${least} ${command.asset}, was ${command.amount}`,
    );
  }
  const known = state.addresses.findLast(
    (a) => a.client === command.client && a.asset === route.asset.index && a.network === route.network.id,
  );
  const created = known === undefined ? newAddress(state, command.client, route) : null;
  const { address, accountIdentifier } = known ?? created ?? { address: "", accountIdentifier: null };
  const number = state.deposits.length + 1;
  const required = route.network.confirmationsRequired;
  const events: Event[] = created === null ? [] : [created];
  events.push({
    kind: "DepositCreated",
    number,
    client: command.client,
    asset: route.asset.index,
    network: route.network.id,
    amount,
    address,
    accountIdentifier,
    confirmationsRequired: required,
  });
  events.push(...progress(number, command.confirmations, required));
  return done(events, number);
}

function progress(number: number, confirmations: number, required: number): Event[] {
  const events: Event[] = [];
  if (confirmations > 0)
    events.push({ kind: "DepositAdvanced", number, confirmations: Math.min(confirmations, required) });
  if (confirmations >= required) events.push({ kind: "DepositCompleted", number, status: "CONFIRMED" });
  return events;
}

function adjustBalance(state: VenueState, command: Command<"AdjustBalance">): Decision {
  const asset = state.world.assets.find((candidate) => candidate.symbol === command.asset);
  if (asset === undefined) return invalid("asset", `Unknown asset ${command.asset}`);
  const amount = readAmount(command.amount, asset);
  if (typeof amount === "string") return invalid("amount", amount);
  const available = state.ledger.available(command.client, asset.index);
  const isDebit = command.direction === "debit";
  if (isDebit && amount > available) {
    const shown = formatScaled(available, asset.scale);
    return invalid(
      "amount",
      `Only ${shown} ${asset.symbol} is available; the rest is on hold for open orders`,
    );
  }
  const change = { client: command.client, asset: asset.index, amount: isDebit ? units(-amount) : amount };
  return done([{ kind: "BalanceAdjusted", ...change }]);
}

function readAmount(text: string, asset: Asset): Units | string {
  if (spellDecimal(text) === null) return `amount must be a positive decimal string, was ${text}`;
  const digits = Math.min(asset.precision, asset.scale);
  if (unitsOf(text, digits) === null)
    return `amount of ${asset.symbol} can have ${digits} decimals, was ${text}`;
  const amount = unitsOf(text, asset.scale) ?? noUnits;
  return amount === 0n ? "amount must be above zero" : amount;
}
