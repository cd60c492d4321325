import { beforeEach, expect, it } from "vitest";
import { type FrameContext, frame, type Look } from "./frame.ts";
import { Market } from "./market.ts";
import {
  bookSnapshot,
  level,
  message,
  newConnection,
  order,
  orderEvent,
  trade,
  trades,
} from "./testing/messages.ts";

const ascii: Look = { colours: false, unicode: false };
const connected: FrameContext = {
  product: "BTC-USD",
  target: "http://127.0.0.1:8080/api/v1/trading",
  keyId: "gw_demo_trader",
  live: true,
  notice: "",
  reconnects: 0,
};
let market: Market;
beforeEach(() => {
  newConnection();
  market = new Market();
});

function fill(): void {
  const asks = [level("60006", "1.05"), level("60012.5", "0.768"), level("60018", "12")];
  const bids = [level("59994", "0.97"), level("59991", "6"), level("59988", "0.684"), level("59982")];
  market.apply(bookSnapshot(170, bids, asks));
  market.apply(trades("snapshot", trade("60006", "0.00166234", 1), trade("59994", "0.25", 2)));
  const data = { lastPrice: "59994", bestBid: "59994", bestAsk: "60006", volume24h: "0.25498702" };
  market.apply(message({ type: "snapshot", channel: "ticker", data }));
  market.apply(orderEvent(1, order("a", "OPEN")));
  market.apply(orderEvent(3, order("b", "FILLED", { filledQuantity: "0.5" })));
}

const shown = (columns: number, rows: number, look = ascii, context = connected): string =>
  frame(market, context, { columns, rows }, look)
    .map((line) => line.trimEnd())
    .join("\n");

it("A frame has book, trades and own orders side by side in a usual window", () => {
  fill();
  expect(shown(80, 20)).toMatchInlineSnapshot(`
    " * live   BTC-USD   last 59994   24h 0.25498702 BTC
     http://127.0.0.1:8080/api/v1/trading as gw_demo_trader

         PRICE  QUANTITY                         TRADES         PRICE     QUANTITY
                                                 12:00:02Z      59994         0.25
       60018.0    12.000  =====================  12:00:01Z      60006   0.00166234
       60012.5     0.768  =
       60006.0     1.050  =
               spread 12
       59994.0     0.970  =
       59991.0     6.000  ==========
       59988.0     0.684  =
       59982.0     1.000  =

     MY ORDERS in BTC-USD: 1 open
     OPEN      BUY  LIMIT              0.5 at 59990     filled 0          a0000000
     FILLED    BUY  LIMIT              0.5 at 59990     filled 0.5        b0000000

     q quits   book number 170   messages 5, gaps 0, reconnects 0"
  `);
  expect(shown(80, 20)).not.toContain("\u001b");
  const coloured = shown(80, 20, { colours: true, unicode: false });
  expect(coloured).toContain("\u001b[");
  // oxlint-disable-next-line no-control-regex -- colours are made of them
  expect(coloured.replaceAll(/\u001b\[[0-9;]*m/g, "").replaceAll(/ +$/gm, "")).toBe(shown(80, 20));
});

it("A frame fits into a window of any size: the book alone if it is narrow, the best prices if it is low", () => {
  for (const full of [false, true]) {
    if (full) fill();
    for (let columns = 1; columns <= 140; columns += 7) {
      for (let rows = 1; rows <= 60; rows += 3) {
        const lines = frame(market, connected, { columns, rows }, { colours: false, unicode: true });
        expect(lines, `${columns} x ${rows}`).toHaveLength(Math.max(rows - 1, 1));
        expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns);
      }
    }
  }
  expect(shown(40, 16)).toMatch(/PRICE +QUANTITY\n +60018\.0 +12\.000 +={17}\n[^]*MY ORDERS/);
  expect(shown(40, 16)).not.toContain("TRADES");
  expect(shown(60, 8)).toMatch(/\n ask 60006 x 1\.05\n bid 59994 x 0\.97\n OPEN .*\n FILLED .*\n\n$/);
});

it("A frame shows what it waits for, and that there are no own orders yet", () => {
  const notice = "disconnected (code 1001): connecting again in 0.4 s";
  const waiting = shown(80, 20, ascii, { ...connected, live: false, notice });
  expect(waiting).toMatch(/^ \* not connected[^]*waiting for the book[^]*none yet: place one/);
  expect(waiting).toContain(notice);
});

it("A frame shows any text of the target as text", () => {
  const evil = "\u001b[2J\u202e世界\n";
  market.apply(bookSnapshot(1, [level("1", `9${evil}`)], []));
  market.apply(orderEvent(1, order(evil, evil, { type: evil })));
  const lines = shown(80, 20, ascii, { ...connected, product: `BTC-${evil}`, keyId: evil, notice: evil });
  expect(lines).not.toMatch(/[^\x20-\x7e\n]/);
  expect(lines.split("\n")).toHaveLength(19);
});
