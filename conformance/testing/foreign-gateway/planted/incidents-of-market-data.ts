import { setTimeout as sleep } from "node:timers/promises";
import { type Bug, replace } from "../bug.ts";
import { instant, type Record_ } from "../order.ts";
import { atMarket, number, type Site } from "../site.ts";

const minute = 60_000;
const shiftMs = 4 * 3_600_000;
const smallVolume = 1e-3;
const smallPrice = 0.01;
const streamedMs = 1000;

const startOf = ({ start }: Record_): number => Date.parse(String(start));
const inExponents = (text: unknown, below: number): unknown =>
  Number(text) < below ? Number(text).toExponential() : text;

async function candle({ trader }: Site): Promise<Record_> {
  await trader.sell("1", "0.001", atMarket);
  return (await trader.get("/candles/BTC-USD")).list[0] ?? {};
}

/** What a topic tells of BTC-USD and LTC-BTC: at the beginning, and while a sale meets two bids. */
async function told({ trader, counter }: Site, topic: string): Promise<Record_[]> {
  const feed = await trader.feed();
  await feed?.join(topic, ["BTC-USD", "LTC-BTC"]);
  for (const price of ["50010", "50020"]) await counter.buy(price, "0.001");
  await trader.sell("1", "0.002", atMarket);
  await feed?.heard();
  return (feed?.messages ?? []).filter(
    (message) => message["topic"] === topic && message["kind"] !== "joined",
  );
}

const candlesIn = (messages: readonly Record_[]): Record_[] =>
  messages
    .map((message) => message["candle"] as Record_ | null | undefined)
    .filter((one) => one !== null && one !== undefined);

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
    shows: async (site) => startOf(await candle(site)) % minute !== 0,
  },
  {
    id: "F-390",
    says: "A candle is named by its end: the last one lies in the future.",
    clauses: ["EPT-14"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candle", (legal) => (start, trades) => legal(start + minute, trades)),
    shows: async (site) => startOf(await candle(site)) > Date.now(),
  },
  {
    id: "F-391",
    says: "The values of a candle are those of four hours before the time that it shows.",
    clauses: ["EPT-14"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "candle", (legal) => (start, trades) => legal(start + shiftMs, trades)),
    shows: async (site) => startOf(await candle(site)) > Date.now() + 3_600_000,
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
    shows: async (site) => String((await candle(site))["openedAt"]).startsWith("0001"),
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
    shows: async (site) => {
      await site.trader.buy("50100", "0.001");
      const { high, close } = await candle(site);
      return number(close) > number(high);
    },
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
    shows: async (site) => {
      await site.trader.sell("1", "0.0002", atMarket);
      return String((await site.trader.get("/candles/BTC-USD")).list[0]?.["volume"]).includes("e");
    },
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
    shows: async (site) => (await told(site, "candles")).length === 0,
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
    shows: async (site) => {
      const { trader } = site;
      const feed = await trader.feed();
      await feed?.join("candles", ["BTC-USD"]);
      await trader.sell("1", "0.001", atMarket);
      await sleep(1100);
      await trader.sell("1", "0.001", atMarket);
      const read = (await trader.get("/candles/BTC-USD")).list.at(-1);
      await feed?.heard();
      return candlesIn(feed?.messages ?? []).at(-1)?.["volume"] !== read?.["volume"];
    },
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
    shows: async (site) => candlesIn(await told(site, "candles")).some(({ open }) => open === "BTC-USD"),
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
    shows: async (site) => (await told(site, "ticker")).length === 2,
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
    shows: async (site) => (await told(site, "ticker")).length === 0,
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
    shows: async (site) => (await told(site, "ticker")).some(({ last }) => typeof last === "number"),
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
    shows: async (site) =>
      (await told(site, "trades")).flatMap(({ trades }) => trades as Record_[]).length < 2,
  },
  {
    id: "F-402",
    says: "The time of a trade is a number of seconds with a fraction.",
    clauses: ["GEN-06"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market.tape, "view", (legal) => (trade) => ({ ...legal(trade), time: trade.time / 1000 })),
    shows: async (site) =>
      (await told(site, "trades"))
        .flatMap(({ trades }) => trades as Record_[])
        .some(({ time }) => typeof time === "number"),
  },
];
