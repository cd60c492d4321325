/**
 * The double-entry ledger. Every movement of money is a pair of lines that cancel out, so the sum over all owners of an
 * asset is zero at any time: clients, the fee account, the synthetic market and the outside world.
 *
 * Holds are not movements: they are the part of a client's balance that open orders have a claim on.
 */

import type { Client } from "../domain/account.ts";
import { noUnits, type Units, units } from "../domain/amount.ts";
import type { Changes } from "./changes.ts";

/** Owners that are no clients. Their balances may be negative. */
export const feeAccount = -1;
export const syntheticMarket = -2;
export const outsideWorld = -3;

/** Whose money it is, and where its movements are noted. */
interface Owners {
  readonly clients: readonly Client[];
  readonly changes: Changes;
}

export class Ledger {
  /** Balances of the three owners that are no clients, by asset index. */
  readonly venue: ReadonlyMap<number, Map<number, Units>> = new Map([
    [feeAccount, new Map<number, Units>()],
    [syntheticMarket, new Map<number, Units>()],
    [outsideWorld, new Map<number, Units>()],
  ]);
  readonly #state: Owners;

  constructor(state: Owners) {
    this.#state = state;
  }

  /** Moves `amount` of an asset; a negative amount moves the other way. */
  transfer(from: number, to: number, asset: number, amount: Units, at: number): void {
    if (amount === 0n) return;
    this.#post(from, asset, units(-amount), at);
    this.#post(to, asset, amount, at);
  }

  /** From now on there is a wallet, empty where there was none. */
  open(client: number, asset: number, at: number): void {
    if (!this.#clientAt(client).wallets.has(asset)) this.#change(client, asset, noUnits, noUnits, at);
  }

  /** Sets more (or, when negative, less) of a client's balance aside. */
  hold(client: number, asset: number, amount: Units, at: number): void {
    if (amount === 0n) return;
    this.#change(client, asset, noUnits, amount, at);
  }

  /** Funds that a client may still commit. */
  available(client: number, asset: number): Units {
    const wallet = this.#clientAt(client).wallets.get(asset);
    return wallet === undefined ? noUnits : units(wallet.balance - wallet.hold);
  }

  #post(owner: number, asset: number, amount: Units, at: number): void {
    const balance =
      owner >= 0 ? this.#change(owner, asset, amount, noUnits, at) : this.#addToVenue(owner, asset, amount);
    this.#state.changes.lines.push({ owner, asset, amount, balance });
  }

  /** Replaces the wallet; returns its balance. */
  #change(client: number, asset: number, amount: Units, hold: Units, at: number): Units {
    const { wallets } = this.#clientAt(client);
    const before = wallets.get(asset) ?? null;
    const balance = units((before?.balance ?? noUnits) + amount);
    const held = units((before?.hold ?? noUnits) + hold);
    const after = { balance, hold: held, createdAt: before?.createdAt ?? at, updatedAt: at };
    wallets.set(asset, after);
    this.#state.changes.wallets.push({ client, asset, before, after });
    return balance;
  }

  #addToVenue(owner: number, asset: number, amount: Units): Units {
    const account = this.#venueAccount(owner);
    const balance = units((account.get(asset) ?? noUnits) + amount);
    account.set(asset, balance);
    return balance;
  }

  #clientAt(index: number): Client {
    const client = this.#state.clients[index];
    if (client === undefined) throw new RangeError(`no client ${index}`);
    return client;
  }

  #venueAccount(owner: number): Map<number, Units> {
    const account = this.venue.get(owner);
    if (account === undefined) throw new RangeError(`no account ${owner}`);
    return account;
  }
}
