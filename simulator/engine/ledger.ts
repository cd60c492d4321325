/**
 * The double-entry ledger. Every movement of money is a pair of lines that cancel out, so the sum over all owners of an
 * asset is zero at any time: clients, the fee account, the synthetic market and the outside world.
 *
 * Holds are not movements: they are the part of a client's balance that open orders have a claim on.
 */

import type { Client, LedgerLine, Wallet } from "../domain/account.ts";
import { NO_UNITS, type Units, units } from "../domain/amount.ts";

/** Owners that are no clients. Their balances may be negative. */
export const FEE_ACCOUNT = -1;
export const SYNTHETIC_MARKET = -2;
export const OUTSIDE_WORLD = -3;

export class Ledger {
  /** Balances of the three owners that are no clients, by asset index. */
  readonly venue: ReadonlyMap<number, Map<number, Units>> = new Map([
    [FEE_ACCOUNT, new Map<number, Units>()],
    [SYNTHETIC_MARKET, new Map<number, Units>()],
    [OUTSIDE_WORLD, new Map<number, Units>()],
  ]);
  private readonly clients: readonly Client[];
  private lines: LedgerLine[] = [];

  constructor(clients: readonly Client[]) {
    this.clients = clients;
  }

  /** Moves `amount` of an asset; a negative amount moves the other way. */
  transfer(from: number, to: number, asset: number, amount: Units, at: number): void {
    if (amount === 0n) return;
    this.post(from, asset, units(-amount), at);
    this.post(to, asset, amount, at);
  }

  /** Lines posted since the last call, for the store. */
  drain(): readonly LedgerLine[] {
    const { lines } = this;
    if (lines.length > 0) this.lines = [];
    return lines;
  }

  wallet(client: number, asset: number, at: number): Wallet {
    const wallets = this.clientAt(client).wallets;
    let wallet = wallets.get(asset);
    if (wallet === undefined) {
      wallet = { balance: NO_UNITS, hold: NO_UNITS, createdAt: at, updatedAt: at };
      wallets.set(asset, wallet);
    }
    return wallet;
  }

  /** Sets more (or, when negative, less) of a client's balance aside. */
  hold(client: number, asset: number, amount: Units, at: number): void {
    if (amount === 0n) return;
    const wallet = this.wallet(client, asset, at);
    wallet.hold = units(wallet.hold + amount);
    wallet.updatedAt = at;
  }

  /** What a client may still commit. */
  available(client: number, asset: number): Units {
    const wallet = this.clientAt(client).wallets.get(asset);
    return wallet === undefined ? NO_UNITS : units(wallet.balance - wallet.hold);
  }

  private post(owner: number, asset: number, amount: Units, at: number): void {
    let balance: Units;
    if (owner >= 0) {
      const wallet = this.wallet(owner, asset, at);
      balance = units(wallet.balance + amount);
      wallet.balance = balance;
      wallet.updatedAt = at;
    } else {
      const account = this.venueAccount(owner);
      balance = units((account.get(asset) ?? NO_UNITS) + amount);
      account.set(asset, balance);
    }
    this.lines.push({ owner, asset, amount, balance });
  }

  private clientAt(index: number): Client {
    const client = this.clients[index];
    if (client === undefined) throw new RangeError(`no client ${index}`);
    return client;
  }

  private venueAccount(owner: number): Map<number, Units> {
    const account = this.venue.get(owner);
    if (account === undefined) throw new RangeError(`no account ${owner}`);
    return account;
  }
}
