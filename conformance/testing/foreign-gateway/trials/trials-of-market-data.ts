import { setTimeout as sleep } from "node:timers/promises";
import { type Misbehaves, market, number, type Site } from "../site.ts";

type Record_ = Record<string, unknown>;

const minute = 60_000;

async function candle({ trader }: Site): Promise<Record_> {
  await trader.sell("1", "0.001", market);
  return (await trader.get("/candles/BTC-USD")).list[0] ?? {};
}

/** What a topic tells of BTC-USD and LTC-BTC: at the beginning, and while a sale meets two bids. */
async function told({ trader, counter }: Site, topic: string): Promise<Record_[]> {
  const feed = await trader.feed();
  await feed?.join(topic, ["BTC-USD", "LTC-BTC"]);
  for (const price of ["50010", "50020"]) await counter.buy(price, "0.001");
  await trader.sell("1", "0.002", market);
  await feed?.heard();
  return (feed?.messages ?? []).filter(
    (message) => message["topic"] === topic && message["kind"] !== "joined",
  );
}

const timeOf = (start: unknown): number => Date.parse(String(start));
const candlesIn = (messages: readonly Record_[]): Record_[] =>
  messages
    .map((message) => message["candle"] as Record_ | null | undefined)
    .filter((one) => one !== null && one !== undefined);

/** F-389 to F-402: what went wrong at public gateways with candles, tickers and trades. */
export const trialsOfMarketData: Readonly<Record<string, Misbehaves>> = {
  "F-389": async (site) => timeOf((await candle(site))["start"]) % minute !== 0,
  "F-390": async (site) => timeOf((await candle(site))["start"]) > Date.now(),
  "F-391": async (site) => timeOf((await candle(site))["start"]) > Date.now() + 3_600_000,
  "F-392": async (site) => String((await candle(site))["openedAt"]).startsWith("0001"),
  "F-393": async (site) => {
    await site.trader.buy("50100", "0.001");
    const { high, close } = await candle(site);
    return number(close) > number(high);
  },
  "F-394": async (site) => {
    await site.trader.sell("1", "0.0002", market);
    return String((await site.trader.get("/candles/BTC-USD")).list[0]?.["volume"]).includes("e");
  },
  "F-395": async (site) => (await told(site, "candles")).length === 0,
  "F-396": async (site) => {
    const { trader } = site;
    const feed = await trader.feed();
    await feed?.join("candles", ["BTC-USD"]);
    await trader.sell("1", "0.001", market);
    await sleep(1100);
    await trader.sell("1", "0.001", market);
    const read = (await trader.get("/candles/BTC-USD")).list.at(-1);
    await feed?.heard();
    return candlesIn(feed?.messages ?? []).at(-1)?.["volume"] !== read?.["volume"];
  },
  "F-397": async (site) => candlesIn(await told(site, "candles")).some(({ open }) => open === "BTC-USD"),
  "F-398": async (site) => (await told(site, "ticker")).length === 2,
  "F-399": async (site) => (await told(site, "ticker")).length === 0,
  "F-400": async (site) => (await told(site, "ticker")).some(({ last }) => typeof last === "number"),
  "F-401": async (site) =>
    (await told(site, "trades")).flatMap(({ trades }) => trades as Record_[]).length < 2,
  "F-402": async (site) =>
    (await told(site, "trades"))
      .flatMap(({ trades }) => trades as Record_[])
      .some(({ time }) => typeof time === "number"),
};
