/** Stops: which price, which side, which order, and that a cascade ends. */
import { describe, expect, test } from "vitest";
import { plainWith, Table } from "./testing/table.ts";

const triggered = (table: Table): number[] =>
  table.drive.takeEvents().flatMap((event) => (event.kind === "StopTriggered" ? [event.order] : []));

describe("a stop", () => {
  test.each([
    { line: "BUY STOP_LIMIT 1 @ 90 stop 105", quiet: ["104", "95", "1"], trigger: "105" },
    { line: "BUY STOP_LIMIT 1 @ 90 stop 105", quiet: ["104"], trigger: "160" },
    { line: "SELL STOP_LIMIT 1 @ 190 stop 95", quiet: ["96", "105", "500"], trigger: "95" },
    { line: "SELL STOP_LIMIT 1 @ 190 stop 95", quiet: ["96"], trigger: "40" },
  ])("$line sleeps through $quiet and wakes at $trigger", ({ line, quiet, trigger }) => {
    const table = new Table();
    const order = table.place("ann", line);
    for (const price of quiet) table.print(price);
    expect(table.drive.order(order).phase).toBe("waiting-for-stop");
    table.print(trigger);
    expect(table.drive.order(order).phase).toBe("resting");
  });

  test("is not triggered by quotes that move through it without a trade", () => {
    const table = new Table();
    const sell = table.place("ann", "SELL STOP_LIMIT 1 @ 90 stop 95");
    const buy = table.place("ann", "BUY STOP_LIMIT 1 @ 110 stop 105");
    table.refresh("BUY 5 @ 80", "SELL 5 @ 81");
    table.refresh("BUY 5 @ 180", "SELL 5 @ 181");
    expect(table.drive.order(sell).phase).toBe("waiting-for-stop");
    expect(table.drive.order(buy).phase).toBe("waiting-for-stop");
  });

  test("takes liquidity when it wakes, like any LIMIT", () => {
    const table = new Table();
    table.refresh("BUY 3 @ 94", "SELL 3 @ 96");
    const order = table.place("ann", "SELL STOP_LIMIT 5 @ 93 stop 95");
    table.place("bob", "BUY LIMIT 1 @ 95");
    table.place("cleo", "SELL LIMIT 1 @ 95");
    expect(table.order(order)).toBe("OPEN 3 of 5 for 282, fees 0 + 0, hold 2");
    expect(table.side("SELL")).toEqual(["ann 2 @ 93", "market 3 @ 96"]);
  });

  test("gets new time priority when it wakes", () => {
    const table = new Table();
    table.place("ann", "SELL STOP_LIMIT 5 @ 101 stop 95");
    table.place("bob", "SELL LIMIT 5 @ 101");
    table.print("95");
    expect(table.side("SELL")).toEqual(["bob 5 @ 101", "ann 5 @ 101"]);
  });

  test.each([
    "BUY STOP_LIMIT 1 @ 90 stop 100",
    "BUY STOP_LIMIT 1 @ 90 stop 99",
    "SELL STOP_LIMIT 1 @ 190 stop 100",
  ])("%s has been passed already and is refused", (line) => {
    const expected = { code: "EXCHANGE_REJECTED", reason: "STOP_PRICE_WOULD_TRIGGER", field: "stop_price" };
    expect(new Table().refused("ann", line)).toMatchObject(expected);
  });

  test("names the reference price before the first trade, and the last price afterwards", () => {
    const table = new Table();
    const message = (): string => table.refused("ann", "BUY STOP_LIMIT 1 @ 90 stop 99").message;
    expect(message()).toContain("must be above 100, the reference price before the first trade");
    table.print("101");
    expect(message()).toContain("must be above the last price 101");
  });

  test("that has been passed already acts at once when the venue is set so", () => {
    const table = new Table(plainWith({ stopOnCrossed: "trigger" }));
    table.refresh("SELL 5 @ 99");
    const order = table.place("ann", "BUY STOP_LIMIT 5 @ 99 stop 100");
    expect(table.drive.order(order).status).toBe("FILLED");
  });

  test("that is passed between acceptance and its first event wakes with it", () => {
    const table = new Table(plainWith({ matchDelayMs: 50 }));
    const order = table.place("ann", "BUY STOP_LIMIT 5 @ 99 stop 105");
    table.print("106");
    table.print("100");
    table.print("105");
    expect(table.drive.order(order).phase).toBe("queued");
    table.drive.advance(50);
    expect(table.drive.order(order).phase).toBe("resting");
  });

  test("that was cancelled or has expired never wakes and holds nothing", () => {
    const table = new Table();
    const cancelled = table.place("ann", "BUY STOP_LIMIT 5 @ 110 stop 105");
    const expired = table.place("ann", "BUY STOP_LIMIT 5 @ 110 stop 105");
    table.cancel("ann", cancelled);
    table.do({ kind: "ExpireOrder", order: expired });
    table.drive.takeEvents();
    table.print("120");
    expect(triggered(table)).toEqual([]);
    expect(table.wallet("ann", "USD")).toBe("1000000, 0 on hold");
  });
});

describe("several stops", () => {
  test("that one trade triggers enter in order of acceptance, with any prices and sides", () => {
    const table = new Table();
    const orders = ["107", "105", "106", "105"].map((stop) =>
      table.place("ann", `BUY STOP_LIMIT 1 @ 90 stop ${stop}`),
    );
    table.drive.takeEvents();
    table.print("107");
    expect(triggered(table)).toEqual(orders);
  });

  test("wake one another in a queue that ends", () => {
    const table = new Table();
    for (const price of [101, 102, 103, 104, 105]) table.place("bob", `SELL LIMIT 1 @ ${price}`);
    const third = table.place("cleo", "BUY STOP_LIMIT 1 @ 110 stop 103");
    const second = table.place("cleo", "BUY STOP_LIMIT 1 @ 110 stop 102");
    const fourth = table.place("cleo", "BUY STOP_LIMIT 1 @ 110 stop 104");
    table.drive.takeEvents();
    table.place("ann", "BUY LIMIT 2 @ 102");
    expect(triggered(table)).toEqual([second, third, fourth]);
    for (const order of [second, third, fourth]) expect(table.order(order).slice(0, 11)).toBe("FILLED 1 of");
    expect(table.side("SELL")).toEqual([]);
  });

  test("that two trades of one match wake enter by trade, then by acceptance", () => {
    const table = new Table();
    table.refresh("SELL 1 @ 101", "SELL 1 @ 102");
    const deep = table.place("cleo", "BUY STOP_LIMIT 1 @ 90 stop 102");
    const near = table.place("cleo", "BUY STOP_LIMIT 1 @ 90 stop 101");
    table.drive.takeEvents();
    table.place("ann", "BUY LIMIT 2 @ 102");
    expect(triggered(table)).toEqual([near, deep]);
  });

  test("of both sides that feed on each other end when the book does", () => {
    const table = new Table();
    table.refresh("BUY 1 @ 99", "BUY 1 @ 97", "SELL 1 @ 101", "SELL 1 @ 103");
    for (const stop of [101, 103]) table.place("ann", `BUY STOP_LIMIT 1 @ 110 stop ${stop}`);
    for (const stop of [99, 97]) table.place("cleo", `SELL STOP_LIMIT 1 @ 90 stop ${stop}`);
    table.place("bob", "BUY LIMIT 1 @ 101");
    expect(table.drive.state.triggered).toEqual([]);
    table.drive.audit();
  });
});
