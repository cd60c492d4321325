/** The indexes of the state against plain structures: the agenda and the stops. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ticks } from "../domain/amount.ts";
import type { DueAction, Order, OrderNumber, Side } from "../domain/order.ts";
import { Agenda } from "./agenda.ts";
import { StopBook } from "./stop-book.ts";

type Due = Pick<Order, "due" | "syncAt">;
const action = fc.constantFrom<DueAction>("MatchOrder", "ConfirmOrder", "FailOrder", "FinishCancel");
const change = fc.oneof(
  fc.record({
    do: fc.constant("act" as const),
    order: fc.integer({ min: 1, max: 30 }),
    at: fc.integer({ min: 1, max: 40 }),
    action,
  }),
  fc.record({
    do: fc.constant("sync" as const),
    order: fc.integer({ min: 1, max: 30 }),
    at: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({ do: fc.constant("forget" as const), order: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant("run" as const) }),
);

/** The first due action, found by looking at every order: by time, then actions before reconciliation, then acceptance. */
function firstDue(orders: ReadonlyMap<OrderNumber, Due>): { at: number; order: number; kind: string } | null {
  const all = [...orders].flatMap(([order, { due, syncAt }]) => [
    ...(due === null ? [] : [{ at: due.at, rank: 0, order, kind: due.action as string }]),
    ...(syncAt === null ? [] : [{ at: syncAt, rank: 1, order, kind: "Sync" }]),
  ]);
  const first = all.sort((a, b) => a.at - b.at || a.rank - b.rank || a.order - b.order)[0];
  return first === undefined ? null : { at: first.at, order: first.order, kind: first.kind };
}

describe("the agenda", () => {
  test("names the entry that is due first according to the orders, with any stale entries", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200, size: "max" }), (script) => {
        const orders = new Map<OrderNumber, Due>();
        for (let number = 1; number <= 30; number++) orders.set(number, { due: null, syncAt: null });
        const agenda = new Agenda(orders as unknown as ReadonlyMap<OrderNumber, Order>);
        const get = (number: number): Due => orders.get(number) ?? { due: null, syncAt: null };
        for (const step of script) {
          if (step.do === "act") {
            get(step.order).due = { at: step.at, action: step.action };
            agenda.addAction(step.order, step.at);
          } else if (step.do === "sync") {
            get(step.order).syncAt = step.at;
            agenda.addSync(step.order, step.at);
          } else if (step.do === "forget") {
            get(step.order).due = null;
          } else {
            const next = agenda.peek();
            if (next?.kind === "Sync") {
              const due = agenda.syncsDue(next.at, 5);
              const expected = [...orders]
                .filter(([, order]) => order.syncAt === next.at)
                .map(([number]) => number);
              expect(due).toEqual(expected.slice(0, 5));
              for (const number of due) get(number).syncAt = null;
            } else if (next !== null) get(next.order).due = null;
          }
          expect(agenda.peek()).toEqual(firstDue(orders));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the stop book", () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant("add" as const),
      side: fc.constantFrom<Side>("BUY", "SELL"),
      stop: fc.integer({ min: 1, max: 30 }),
    }),
    fc.record({ do: fc.constant("remove" as const), which: fc.nat() }),
    fc.record({ do: fc.constant("trade" as const), last: fc.integer({ min: 1, max: 30 }) }),
  );

  test("wakes what a scan of all stops would wake, in order of acceptance", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: "max" }), (script) => {
        const stops = new StopBook();
        let waiting: { readonly side: Side; readonly stop: number; readonly order: number }[] = [];
        for (const [index, one] of script.entries()) {
          if (one.do === "add") {
            stops.add(one.side, ticks(one.stop), index + 1);
            waiting.push({ side: one.side, stop: one.stop, order: index + 1 });
          } else if (one.do === "remove") {
            const gone = waiting[one.which % Math.max(1, waiting.length)];
            if (gone === undefined) continue;
            stops.remove(gone.side, gone.order);
            waiting = waiting.filter((entry) => entry !== gone);
          } else {
            const triggered = waiting.filter((entry) =>
              entry.side === "BUY" ? one.last >= entry.stop : one.last <= entry.stop,
            );
            expect(stops.takeTriggered(ticks(one.last))).toEqual(triggered.map((entry) => entry.order));
            waiting = waiting.filter((entry) => !triggered.includes(entry));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
