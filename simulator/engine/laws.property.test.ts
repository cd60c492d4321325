/** Laws that hold in any venue whatever happens. */
import { describe, expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { isTerminal, type Order } from "../domain/order.ts";
import { Identities } from "../wire/identities.ts";
import { orderJson } from "../wire/order-view.ts";
import { feeAccount, outsideWorld, syntheticMarket } from "./ledger.ts";
import { captureSnapshot, restoreSnapshot, stateHash } from "./snapshot.ts";
import { Drive } from "./testing/drive.ts";
import { recordScript, recordUnrulyScript } from "./testing/script.ts";
import { plainWith, Table } from "./testing/table.ts";

const seeds = sampled(4, [31, 32, 33, 34, 35, 36, 37, 38]);

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe("a cancel and fills in every order", () => {
  const allSteps = ["fill 1", "fill 3", "cancel", "cancel again"] as const;
  test.each(permutations(allSteps).flatMap((steps) => [0, 50].map((delay) => ({ steps, delay }))))(
    "$steps with a matching delay of $delay ms ends FILLED and refuses, or CANCELLED with the fills before it",
    ({ steps, delay }) => {
      const table = new Table(plainWith({ matchDelayMs: delay }));
      const order = table.place("ann", "BUY LIMIT 4 @ 100");
      table.drive.advance(delay);
      let filled = 0;
      let cancelled = false;
      for (const step of steps) {
        if (step.startsWith("fill")) {
          const size = Number(step.slice(5));
          table.place("bob", `SELL LIMIT ${size} @ 100`);
          table.drive.advance(delay);
          if (!cancelled) filled += size;
          continue;
        }
        const before = table.stateHash();
        const outcome = table.cancel("ann", order);
        if (cancelled || filled === 4) {
          const status = cancelled ? "CANCELLED" : "FILLED";
          expect(outcome).toMatchObject({
            kind: "rejected",
            rejection: { code: "ORDER_NOT_CANCELLABLE", status },
          });
          expect(table.stateHash()).toBe(before);
        } else {
          expect(outcome.kind).toBe("done");
          cancelled = true;
        }
      }
      const status = cancelled ? "CANCELLED" : "FILLED";
      expect(table.order(order)).toBe(`${status} ${filled} of 4 for ${filled * 100}, fees 0 + 0, hold 0`);
      expect(table.wallet("ann", "USD")).toBe(`${1_000_000 - filled * 100}, 0 on hold`);
    },
  );

  test.each(permutations(["match", "cancel"] as const).map((steps) => ({ steps })))(
    "a queued MARKET BUY: $steps decides",
    ({ steps }) => {
      const table = new Table(plainWith({ matchDelayMs: 50 }));
      table.refresh("SELL 9 @ 100");
      const order = table.place("ann", "BUY MARKET for 400");
      for (const step of steps) {
        if (step === "match") table.drive.advance(50);
        else table.cancel("ann", order);
      }
      const expected =
        steps[0] === "match" ? "FILLED 4 of 400 quote for 400" : "CANCELLED 0 of 400 quote for 0";
      expect(table.order(order)).toBe(`${expected}, fees 0 + 0, hold 0`);
    },
  );
});

describe("money", () => {
  test.each(seeds)(
    "is conserved per asset and never over-committed at any moment of stream %i; at the end nothing is held",
    (seed) => {
      const { spec, steps } = recordScript(seed, 200);
      const drive = new Drive(spec);
      const total = (asset: number): bigint => {
        const { clients, ledger } = drive.state;
        const held = clients.reduce((sum, client) => sum + (client.wallets.get(asset)?.balance ?? 0n), 0n);
        return [feeAccount, syntheticMarket, outsideWorld].reduce<bigint>(
          (sum, owner) => sum + (ledger.venue.get(owner)?.get(asset) ?? 0n),
          held,
        );
      };
      for (const { wait, command } of steps) {
        drive.advance(wait);
        drive.submit(command);
        drive.audit();
        for (const { index } of drive.state.world.assets) expect(total(index)).toBe(0n);
      }
      for (const order of drive.state.orders.values()) {
        if (!isTerminal(order.status))
          drive.submit({ kind: "CancelOrder", client: order.terms.client, order: order.terms.number });
      }
      for (const client of drive.state.clients)
        for (const wallet of client.wallets.values()) expect(wallet.hold).toBe(0n);
      drive.audit();
    },
  );

  test("of one client does not move when another is refused", () => {
    const table = new Table();
    const before = [table.wallet("bob", "USD"), table.wallet("bob", "COIN")];
    table.refused("ann", "BUY LIMIT 100000 @ 1000");
    expect([table.wallet("bob", "USD"), table.wallet("bob", "COIN")]).toEqual(before);
  });
});

describe("a trade", () => {
  test.each(seeds)("of stream %i never leaves a better resting order behind", (seed) => {
    const { spec, steps } = recordScript(seed, 300);
    const drive = new Drive(spec);
    for (const { wait, command } of steps) {
      drive.advance(wait);
      drive.submit(command);
      // The state is the one after the last entry, whose last trade is the last of the tape.
      const { events = [] } = drive.take().at(-1) ?? {};
      const trade = events.findLast((event) => event.kind === "Traded" || event.kind === "TradePrinted");
      if (trade?.kind !== "Traded" && trade?.kind !== "TradePrinted") continue;
      const { book } = drive.state.market(trade.product);
      // The rest of a taker may stand at a price that nobody offered; the synthetic market prints where it likes.
      const exempt = [0, trade.kind === "Traded" ? trade.taker : 0];
      const prices = (side: "BUY" | "SELL"): number[] =>
        [...book.slots(side)]
          .filter((slot) => !exempt.includes(book.order(slot)))
          .map((slot) => book.price(slot));
      expect(prices("BUY").filter((price) => price > trade.price)).toEqual([]);
      expect(prices("SELL").filter((price) => price < trade.price)).toEqual([]);
    }
  });
});

describe("orders (g 26 and the forbidden moves of c.3)", () => {
  test.each(seeds)(
    "of stream %i never go back, never shrink, and do not change once they are over and synced",
    (seed) => {
      const { spec, steps } = recordScript(seed, 200);
      const drive = new Drive(spec);
      const ids = new Identities(1);
      const over = new Map<number, string>();
      const seen = new Map<
        number,
        { updatedAt: number; filled: number; value: bigint; revision: number; terms: string; status: string }
      >();
      const termsOf = (order: Order): string =>
        JSON.stringify(order.terms, (_key, value: unknown) =>
          typeof value === "bigint" ? String(value) : value,
        );
      const look = (): void => {
        for (const order of drive.state.orders.values()) {
          const { number } = order.terms;
          const before = seen.get(number);
          if (before !== undefined) {
            expect(order.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
            expect(order.filled).toBeGreaterThanOrEqual(before.filled);
            expect(order.filledValue >= before.value).toBe(true);
            expect(order.revision).toBeGreaterThanOrEqual(before.revision);
            if (before.status !== "OPEN") expect(order.status).toBe(before.status);
            expect(termsOf(order)).toBe(before.terms);
          }
          const { updatedAt, filled, filledValue: value, revision, status } = order;
          seen.set(number, { updatedAt, filled, value, revision, status, terms: termsOf(order) });
          const text = orderJson(drive.state, ids, order);
          const final = over.get(number);
          if (final !== undefined) expect(text).toBe(final);
          else if (isTerminal(order.status) && order.synced) over.set(number, text);
        }
      };
      for (const [index, { wait, command }] of steps.entries()) {
        drive.advance(wait);
        drive.submit(command);
        if (index % 5 === 0) look();
      }
      drive.advance(1000);
      look();
      const ended = [...drive.state.orders.values()].filter((order) => isTerminal(order.status));
      expect(ended.every((order) => order.synced)).toBe(true);
      expect(over.size).toBe(ended.length);
      const restarted = restoreSnapshot(drive.state.world, captureSnapshot(drive.state));
      for (const [number, text] of over)
        expect(orderJson(restarted, ids, restarted.order(number))).toBe(text);
    },
  );
});

describe("an unruly venue: asynchronous, and with failures on order", () => {
  test.each(seeds)(
    "keeps its accounts through stream %i, comes to rest, and goes on alike after a restart",
    (seed) => {
      const { spec, steps } = recordUnrulyScript(seed, 250);
      const drive = new Drive(spec);
      let restarted = drive;
      for (const [index, { wait, command }] of steps.entries()) {
        drive.advance(wait);
        drive.submit(command);
        drive.audit();
        if (restarted !== drive) {
          restarted.advance(wait);
          restarted.submit(command);
        }
        if (index !== 120) continue;
        restarted = new Drive(restoreSnapshot(drive.state.world, captureSnapshot(drive.state)));
        restarted.now = drive.now;
      }
      for (const venue of [drive, restarted]) venue.advance(10_000);
      expect(stateHash(restarted.state)).toBe(stateHash(drive.state));
      for (const order of drive.state.orders.values()) {
        const { number, client } = order.terms;
        if (isTerminal(order.status)) continue;
        drive.submit({ kind: "CancelOrder", client, order: number });
        if (order.willCancel !== true) drive.submit({ kind: "CancelByExchange", order: number });
      }
      drive.advance(10_000);
      for (const order of drive.state.orders.values()) {
        expect(isTerminal(order.status)).toBe(true);
        expect(order.synced).toBe(order.willSync !== false);
      }
      for (const client of drive.state.clients)
        for (const wallet of client.wallets.values()) expect(wallet.hold).toBe(0n);
    },
  );
});
