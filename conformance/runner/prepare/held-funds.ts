import { setTimeout as wait } from "node:timers/promises";
import { type ExactDecimal, parseDecimal, plain } from "../../check/decimal.ts";
import { listIn } from "../../check/expectation.ts";
import { ordersIn } from "../../check/orders-in-reply.ts";
import { resolvePointer } from "../../check/pointer.ts";
import { walletIn } from "../../check/wallet-in.ts";
import { type Exchange, isSuccess } from "../../model/exchange.ts";
import { isArray } from "../../model/json.ts";
import { Blocked } from "../../model/outcome.ts";
import { isOurs } from "../../model/profile.ts";
import { plainPlan } from "../../signing/tamper.ts";
import type { CleanUpResult } from "../send/cancel-left.ts";
import type { Session } from "../session.ts";

/**
 * Checks the holds after a run: when all orders of the run have ended, no funds may be held for them (PLC-36), so the
 * holds of each client are the same as before. Known limits: only for a target on this machine, and only for clients
 * without open orders before and after, because other programs may place orders meanwhile.
 */
export class HeldFunds {
  readonly #session: Session;
  readonly #before = new Map<string, Holds>();

  constructor(session: Session) {
    this.#session = session;
  }

  async note(): Promise<void> {
    const { profile } = this.#session;
    if (!isOurs(profile) || typeof profile.operations["wallets"] !== "object") return;
    const clients = new Set<string>();
    for (const role of roles) {
      const { client } = profile.credentials[role] ?? {};
      if (client === undefined || clients.has(client)) continue;
      clients.add(client);
      const { holds } = await this.#look(role);
      if (holds !== undefined) this.#before.set(role, holds);
    }
  }

  async judge({ left }: CleanUpResult): Promise<void> {
    if (left.length > 0) return;
    for (const [role, before] of this.#before) {
      const deadline = performance.now() + graceMs;
      for (;;) {
        const { holds, exchange } = await this.#look(role);
        const kept = [...(holds ?? [])].find(([asset, hold]) => hold.gt(before.get(asset) ?? hold));
        if (exchange === undefined || kept === undefined) break;
        if (performance.now() > deadline) {
          this.#report(kept, before, exchange);
          break;
        }
        await wait(betweenLooksMs);
      }
    }
  }

  #report([asset, hold]: readonly [string, ExactDecimal], before: Holds, exchange: Exchange): void {
    const was = before.get(asset);
    const expected = `${was === undefined ? "" : plain(was)}, as before the run: none of its orders is open`;
    const difference = { pointer: `wallet ${asset}/hold`, expected, actual: plain(hold), clause: "PLC-36" };
    this.#session.ambient.add({ exercised: [], differences: [difference] }, exchange);
  }

  /** The holds of each asset, if no order is open. */
  async #look(role: string): Promise<{ readonly holds?: Holds; readonly exchange?: Exchange }> {
    const open = await this.#ask("openOrders", role);
    const exchange = await this.#ask("wallets", role);
    if (open === undefined || exchange === undefined || ordersIn(open).length > 0) return {};
    const { items, wallet } = this.#session.operation("wallets");
    const listing = listIn(exchange.json, items);
    const holds = (isArray(listing) ? listing : []).flatMap((record) => {
      const asset = resolvePointer(record, wallet.asset);
      const hold = typeof asset === "string" ? walletIn(listing, asset, wallet)?.get("hold") : undefined;
      const amount = typeof hold === "string" ? parseDecimal(hold) : undefined;
      return amount === undefined ? [] : [[String(asset), amount] as const];
    });
    return { holds: new Map(holds), exchange };
  }

  async #ask(name: string, role: string): Promise<Exchange | undefined> {
    const session = this.#session;
    const { method, path } = session.operation(name);
    const credential = session.credential(role);
    const target = session.parts.target.basePath + path;
    const plan = { operation: name, method, target, role, credential, ...bare };
    try {
      const exchange = await session.ask(() => session.prepare(plan), { purpose: "cleanup" });
      return isSuccess(exchange) ? exchange : undefined;
    } catch (error) {
      if (error instanceof Blocked) return undefined;
      throw error;
    }
  }
}

type Holds = ReadonlyMap<string, ExactDecimal>;

const roles = ["trader", "otherClient", "counterparty"] as const;
const graceMs = 5000;
const betweenLooksMs = 250;
const bare = { headers: [], body: new Uint8Array(), sign: plainPlan, mutation: {}, clockOffsetMs: 0 };
