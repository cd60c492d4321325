/** The state machine of an order, row by row, and everything that it forbids. */
import { describe, expect, test } from "vitest";
import { noUnits } from "../domain/amount.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { isTerminal, type Order, type OrderStatus, transitions } from "../domain/order.ts";
import { apply } from "./apply.ts";
import { setStatus } from "./apply-order.ts";
import { plainWith, rejectionOf, Table } from "./testing/table.ts";

const unknown = (resolvesTo: "OPEN" | "FAILED") =>
  ({ kind: "externalFailure", outcome: "unknown", resolvesTo, afterMs: 30 }) as const;

/** The one order of a table. */
const only = (table: Table): Order => {
  const order = [...table.drive.state.orders.values()][0];
  if (order === undefined) throw new RangeError("no order");
  return order;
};
const linePattern = "BUY LIMIT 4 @ 100";
const openOrdersPath = "OPEN 0 of 4 for 0, fees 0 + 0, hold 400";

describe("transitions of an order", () => {
  test("T1: an accepted order is OPEN, known to the exchange, and holds its price", () => {
    const table = new Table();
    const order = table.place("ann", linePattern);
    expect(table.order(order)).toBe(openOrdersPath);
    expect(only(table)).toMatchObject({ accepted: true, synced: false, reason: null });
  });

  test("T2: under asynchronous acceptance it is PENDING and unknown to the exchange", () => {
    const table = new Table(plainWith({ acceptance: "async" }));
    const order = table.place("ann", linePattern);
    expect(table.order(order)).toBe(openOrdersPath.replace("OPEN", "PENDING"));
    expect(only(table)).toMatchObject({ accepted: false, synced: false });
  });

  test.each([
    { fault: { kind: "externalFailure", outcome: "certain" } as const, type: "EXTERNAL_EXECUTION_FAILED" },
    { fault: { kind: "internalFailure" } as const, type: "INTERNAL_EXECUTION_FAILED" },
  ])("T3: $type that was certainly not executed leaves a FAILED row without a hold", ({ fault, type }) => {
    const table = new Table();
    const command = table.command("ann", linePattern, { fault });
    expect(table.do(command)).toMatchObject({ kind: "failed", type });
    expect(only(table)).toMatchObject({ status: "FAILED", accepted: false, hold: noUnits });
    expect(only(table).reason).not.toBeNull();
    expect(table.wallet("ann", "USD")).toBe("1000000, 0 on hold");
    expect(table.do({ ...command, fault: null })).toMatchObject({ kind: "replayed" });
  });

  test("T4: an unknown outcome leaves a PENDING row that keeps its hold and its client_order_id", () => {
    const table = new Table();
    const command = table.command("ann", linePattern, { fault: unknown("OPEN") });
    expect(table.do(command)).toMatchObject({ kind: "failed", type: "EXTERNAL_EXECUTION_FAILED" });
    expect(only(table)).toMatchObject({ status: "PENDING", accepted: false });
    expect(table.wallet("ann", "USD")).toBe("1000000, 400 on hold");
    expect(table.do({ ...command, fault: null })).toMatchObject({ kind: "replayed" });
  });

  test("T5: the exchange confirms, and the order goes on as any other", () => {
    const table = new Table();
    table.refresh("SELL 9 @ 100");
    table.do(table.command("ann", linePattern, { fault: unknown("OPEN") }));
    table.drive.advance(29);
    expect(only(table).status).toBe("PENDING");
    table.drive.advance(1);
    expect(only(table)).toMatchObject({ status: "FILLED", accepted: true });
  });

  test("T6: reconciliation finds nothing, and the order is FAILED without a hold", () => {
    const table = new Table();
    table.do(table.command("ann", linePattern, { fault: unknown("FAILED") }));
    table.drive.advance(30);
    expect(only(table)).toMatchObject({ status: "FAILED", accepted: false, hold: noUnits });
    expect(table.wallet("ann", "USD")).toBe("1000000, 0 on hold");
  });

  test("T7: a match that leaves something keeps the order OPEN with its fills", () => {
    const table = new Table();
    const order = table.place("ann", linePattern);
    table.place("bob", "SELL LIMIT 1 @ 99");
    expect(table.order(order)).toBe("OPEN 1 of 4 for 100, fees 0 + 0, hold 300");
  });

  test("T8: the match that completes it makes it FILLED and releases its hold", () => {
    const table = new Table();
    const order = table.place("ann", linePattern);
    table.place("bob", "SELL LIMIT 4 @ 99");
    expect(table.order(order)).toBe("FILLED 4 of 4 for 400, fees 0 + 0, hold 0");
  });

  test("T9: a triggered stop stays OPEN and enters the book", () => {
    const table = new Table();
    const order = table.place("ann", "BUY STOP_LIMIT 4 @ 100 stop 105");
    expect(only(table).phase).toBe("waiting-for-stop");
    table.print("105");
    expect(table.order(order)).toBe(openOrdersPath);
    expect(table.side("BUY")).toEqual(["ann 4 @ 100"]);
  });

  test.each(["sync", "async"] as const)("T10: a client cancels an OPEN order (%s cancel)", (cancelMode) => {
    const table = new Table(plainWith({ cancelMode, confirmDelayMs: 20 }));
    const order = table.place("ann", linePattern);
    table.place("bob", "SELL LIMIT 1 @ 99");
    expect(table.cancel("ann", order)).toMatchObject({ kind: "done" });
    if (cancelMode === "async") {
      expect(only(table)).toMatchObject({ status: "OPEN", synced: false });
      table.drive.advance(20);
    }
    expect(table.order(order)).toBe("CANCELLED 1 of 4 for 100, fees 0 + 0, hold 0");
    expect(only(table).reason).toBe("User initiated cancellation");
  });

  test("T10: a client cancels a PENDING order, and the late confirmation changes nothing", () => {
    const table = new Table(plainWith({ acceptance: "async" }));
    const order = table.place("ann", linePattern);
    table.cancel("ann", order);
    table.drive.advance(1000);
    expect(table.order(order)).toBe("CANCELLED 0 of 4 for 0, fees 0 + 0, hold 0");
  });

  test("T11: the venue cancels the rest of a MARKET order and gives the reason", () => {
    const table = new Table();
    table.refresh("BUY 1 @ 99");
    const order = table.place("ann", "SELL MARKET 2");
    expect(table.order(order)).toBe("CANCELLED 1 of 2 for 99, fees 0 + 0, hold 0");
    expect(only(table).reason).toBe("No more bids in the book: the unfilled remainder was cancelled");
  });

  test.each(["sync", "async"] as const)(
    "T12: an order expires out of OPEN and out of PENDING (%s)",
    (acceptance) => {
      const table = new Table(plainWith({ acceptance }));
      const order = table.place("ann", linePattern);
      table.do({ kind: "ExpireOrder", order });
      expect(table.order(order)).toBe("EXPIRED 0 of 4 for 0, fees 0 + 0, hold 0");
      expect(only(table).reason).toBe("Order expired");
    },
  );

  test("T13: synced turns true one sync delay after every change, and at no other time", () => {
    const table = new Table(plainWith({ syncDelayMs: 50 }));
    table.place("ann", linePattern);
    expect(only(table).synced).toBe(false);
    table.drive.advance(49);
    expect(only(table).synced).toBe(false);
    table.drive.advance(1);
    expect(only(table).synced).toBe(true);
    table.place("bob", "SELL LIMIT 1 @ 99");
    expect(only(table).synced).toBe(false);
    table.drive.advance(50);
    expect(only(table).synced).toBe(true);
  });

  test("T13: with the fault neverSync the row stays unsynced, also after its end", () => {
    const table = new Table();
    const order = table.place("ann", linePattern, { fault: { kind: "neverSync" } });
    table.drive.advance(1000);
    table.cancel("ann", order);
    table.drive.advance(1000);
    expect(only(table)).toMatchObject({ status: "CANCELLED", synced: false });
  });

  test("T13: a PENDING row is not synced until the exchange has spoken", () => {
    const table = new Table();
    table.place("ann", linePattern, { fault: { kind: "stuckPending" } });
    table.drive.advance(100_000);
    expect(only(table)).toMatchObject({ status: "PENDING", synced: false });
  });

  test.each(["FILLED", "CANCELLED", "EXPIRED", "FAILED"] as const)(
    "T14: nothing moves an order out of %s",
    (status) => {
      const table = new Table();
      table.do(
        table.command("ann", linePattern, status === "FAILED" ? { fault: { kind: "internalFailure" } } : {}),
      );
      const { number } = only(table).terms;
      if (status === "FILLED") table.place("bob", "SELL LIMIT 4 @ 100");
      if (status === "CANCELLED") table.cancel("ann", number);
      if (status === "EXPIRED") table.do({ kind: "ExpireOrder", order: number });
      table.drive.advance(1000);
      const before = table.stateHash();
      expect(only(table)).toMatchObject({ status, synced: true });
      for (const outcome of [
        table.cancel("ann", number),
        table.do({ kind: "ExpireOrder", order: number }),
        table.do({ kind: "ConfirmOrder", order: number, to: "FAILED" }),
        table.do({ kind: "MatchOrder", order: number }),
        table.do({ kind: "FinishCancel", order: number }),
        table.do({ kind: "TriggerStop", order: number }),
      ]) {
        expect(rejectionOf(outcome)).toMatchObject({ code: "ORDER_NOT_CANCELLABLE", status });
      }
      table.drive.advance(0);
      expect(table.stateHash()).toBe(before);
    },
  );
});

const statuses: readonly OrderStatus[] = ["PENDING", "OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED"];
const allowed = new Set([
  "PENDING>OPEN",
  "PENDING>FILLED",
  "PENDING>CANCELLED",
  "PENDING>EXPIRED",
  "PENDING>FAILED",
  "OPEN>FILLED",
  "OPEN>CANCELLED",
  "OPEN>EXPIRED",
]);
const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));

describe("forbidden transitions", () => {
  test.each(pairs.filter(({ from, to }) => !allowed.has(`${from}>${to}`)))(
    "$from does not become $to",
    ({ from, to }) => {
      const table = new Table();
      table.place("ann", linePattern);
      const order = only(table);
      order.status = from;
      expect(() => setStatus(order, to)).toThrow(InvariantViolation);
      expect(order.status).toBe(from);
    },
  );

  test.each(pairs.filter(({ from, to }) => allowed.has(`${from}>${to}`)))(
    "$from may become $to",
    ({ from, to }) => {
      expect(transitions[from]).toContain(to);
    },
  );

  test("an order that has filled does not become FAILED", () => {
    const table = new Table();
    const order = table.place("ann", linePattern);
    table.place("bob", "SELL LIMIT 1 @ 99");
    const close = { kind: "OrderClosed", order, status: "FAILED", reason: "x" } as const;
    expect(() => apply(table.drive.state, close, table.drive.now)).toThrow(/cannot go from OPEN to FAILED/);
  });

  test("exactly the four ends are terminal", () => {
    expect(statuses.filter(isTerminal)).toEqual(["FILLED", "CANCELLED", "EXPIRED", "FAILED"]);
  });
});

describe("cancelling", () => {
  test("an order of another client does not exist for a cancel", () => {
    const table = new Table();
    const order = table.place("ann", linePattern);
    const foreign = rejectionOf(table.cancel("bob", order));
    expect(foreign).toMatchObject({ code: "ORDER_NOT_FOUND" });
    expect(rejectionOf(table.cancel("bob", 4711))).toEqual(foreign);
    expect(table.order(order)).toBe(openOrdersPath);
  });

  test("a second cancel is refused and changes nothing", () => {
    const table = new Table();
    const order = table.place("ann", linePattern);
    table.cancel("ann", order);
    const before = table.stateHash();
    expect(rejectionOf(table.cancel("ann", order))).toMatchObject({
      code: "ORDER_NOT_CANCELLABLE",
      status: "CANCELLED",
    });
    expect(table.stateHash()).toBe(before);
  });

  test("a cancel that is under way is not asked for twice", () => {
    const table = new Table(plainWith({ cancelMode: "async", confirmDelayMs: 50 }));
    const order = table.place("ann", linePattern);
    table.cancel("ann", order);
    table.drive.advance(30);
    expect(table.cancel("ann", order)).toMatchObject({ kind: "done" });
    table.drive.advance(20);
    expect(table.drive.order(order).status).toBe("CANCELLED");
  });

  test("a requested cancel survives that the stop of the order triggers before it is done", () => {
    const table = new Table(plainWith({ cancelMode: "async", confirmDelayMs: 50 }));
    const order = table.place("ann", "BUY STOP_LIMIT 4 @ 100 stop 105");
    table.cancel("ann", order);
    table.drive.advance(10);
    table.print("105");
    expect(table.side("BUY")).toEqual(["ann 4 @ 100"]);
    table.drive.advance(40);
    expect(table.order(order)).toBe("CANCELLED 0 of 4 for 0, fees 0 + 0, hold 0");
  });

  test("a requested cancel survives that the exchange confirms the order before it is done", () => {
    const table = new Table(plainWith({ cancelMode: "async", confirmDelayMs: 50 }));
    table.refresh("SELL 9 @ 100");
    const order = table.place("ann", linePattern, { fault: { kind: "stuckPending" } });
    table.cancel("ann", order);
    table.drive.advance(10);
    table.do({ kind: "ConfirmOrder", order, to: "OPEN" });
    table.drive.advance(40);
    expect(table.order(order)).toBe("CANCELLED 0 of 4 for 0, fees 0 + 0, hold 0");
  });
});
