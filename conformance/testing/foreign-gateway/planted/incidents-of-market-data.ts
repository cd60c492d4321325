import { type Bug, replace } from "../bug.ts";
import { instant, type Record_ } from "../order.ts";

const minute = 60_000;
const shiftMs = 4 * 3_600_000;
const smallVolume = 1e-3;
const smallPrice = 0.01;
const streamedMs = 1000;

const startOf = ({ start }: Record_): number => Date.parse(String(start));
const inExponents = (text: unknown, below: number): unknown =>
  Number(text) < below ? Number(text).toExponential() : text;

/** What went wrong at public gateways with candles, tickers and trades (fixtures/incidents.yaml). */
export const incidentsOfMarketData: readonly Bug[] = [
  {
    id: "F-389",
    says: "Candles begin a whole number of minutes before the moment in which they are asked for.",
    clauses: ["EPT-14"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candles", (legal) => (product) => {
        const offset = market.now() % minute;
        return legal(product).map((candle) => ({ ...candle, start: instant(startOf(candle) + offset) }));
      }),
  },
  {
    id: "F-390",
    says: "A candle is named by its end: the last one lies in the future.",
    clauses: ["EPT-14"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candle", (legal) => (start, trades) => legal(start + minute, trades)),
  },
  {
    id: "F-391",
    says: "The values of a candle are those of four hours before the time that it shows.",
    clauses: ["EPT-14"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candle", (legal) => (start, trades) => legal(start + shiftMs, trades)),
  },
  {
    id: "F-392",
    says: "A candle has the open and the close of the minute before, and its times of both are in the year 1.",
    clauses: ["EPT-14"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candles", (legal) => (product) => {
        const candles = legal(product);
        const unset = "0001-01-01T00:00:00+00:00";
        return candles.map((candle, at) => {
          const { open, close } = candles[at - 1] ?? candle;
          return { ...candle, open, close, openedAt: unset, closedAt: unset };
        });
      }),
  },
  {
    id: "F-393",
    says: "The four prices of a candle are kept in one order and read in another: close, low and high change places.",
    clauses: ["EPT-14"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candle", (legal) => (start, trades) => {
        const candle = legal(start, trades);
        const { high, low, close } = candle;
        return { ...candle, close: high, high: low, low: close };
      }),
  },
  {
    id: "F-394",
    says: "The volume of a candle has an exponent when it is small.",
    clauses: ["GEN-04"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candle", (legal) => (start, trades) => {
        const candle = legal(start, trades);
        return { ...candle, volume: inExponents(candle["volume"], smallVolume) };
      }),
  },
  {
    id: "F-395",
    says: "Who subscribes to candles is confirmed, and no candle comes.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "send", (legal) => (line, message) => {
        if (message["kind"] !== "candle") legal(line, message);
      }),
  },
  {
    id: "F-396",
    says: "A candle of the stream counts the trades of the last second, and one that is read those of its minute.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "candle", () => (product, market) => {
        const now = market.now();
        const recent = market.tape.of(product).filter(({ time }) => time > now - streamedMs);
        const candle = recent.length === 0 ? null : market.tape.candle(now - (now % minute), recent);
        return { kind: "candle", candle };
      }),
  },
  {
    id: "F-397",
    says: "A candle of the stream has the product as its open, its length as its high, and no low and no close.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "candle", (legal) => (product, market) => {
        const message = legal(product, market);
        const candle = message["candle"] as Record_ | null;
        const mixed = { open: product.id, high: minute / 1000, low: {}, close: {} };
        return candle === null ? message : { ...message, candle: { ...candle, ...mixed } };
      }),
  },
  {
    id: "F-398",
    says: "The ticker sends one message, and no more.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      let isNews = false;
      replace(stream, "trade", (legal) => (trade, market) => {
        isNews = true;
        legal(trade, market);
        isNews = false;
      });
      replace(stream, "send", (legal) => (line, message) => {
        if (message["kind"] !== "ticker" || !isNews) legal(line, message);
      });
    },
  },
  {
    id: "F-399",
    says: "Who subscribes to the ticker gets pings in place of prices.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "send", (legal) => (line, message) => {
        if (message["kind"] === "ticker") line.socket.ping();
        else legal(line, message);
      }),
  },
  {
    id: "F-400",
    says: "The prices of the ticker are JSON numbers, and small ones have an exponent.",
    clauses: ["GEN-04"],
    hard: true,
    kind: "arithmetic",
    install: ({ stream }) =>
      replace(stream, "send", (legal) => (line, message) => {
        if (message["kind"] !== "ticker") return legal(line, message);
        line.count += 1;
        const text = JSON.stringify({ n: line.count, ...message });
        line.socket.send(
          text.replaceAll(
            /"(last|bid|ask)":"([\d.]+)"/g,
            (_, name: string, price: string) => `"${name}":${String(inExponents(Number(price), smallPrice))}`,
          ),
        );
      }),
  },
  {
    id: "F-401",
    says: "Of trades that have one time, the stream tells the first.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const told = new Map<string, number>();
      replace(stream, "trade", (legal) => (trade, market) => {
        const { product, time } = trade;
        if (told.get(product.id) !== time) legal(trade, market);
        told.set(product.id, time);
      });
    },
  },
  {
    id: "F-402",
    says: "The time of a trade is a number of seconds with a fraction.",
    clauses: ["GEN-06"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "view", (legal) => (trade) => ({ ...legal(trade), time: trade.time / 1000 })),
  },
];
