/**
 * How fast the console is and stays, in a Chromium of this machine: bytes, first view, frames during a burst, memory.
 *
 *   npm run bench:console -- --minutes 5
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { startSimulator } from "../simulator/index.ts";
import { launch, openPage, show } from "../simulator/testing/browser.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "2" } } });

const assets = path.resolve("dist", "console", "assets");
const bytes = readdirSync(assets).reduce(
  (sum, name) => sum + gzipSync(readFileSync(path.join(assets, name))).length,
  0,
);
console.log(`first view, compressed: ${(bytes / 1024).toFixed(1)} KiB`);

await using simulator = await startSimulator({ db: ":memory:", exchanges: true });
const address = simulator.readyLine().consoleUrl ?? "";
const browser = await launch();

/** From the request for the page until the book of the market is drawn. */
async function firstView(of: Browser): Promise<number> {
  const page = await openPage(of, address.replace("#", "#/main/market&"));
  await page.getByText("last price", { exact: true }).waitFor();
  const shown = await page.evaluate("performance.now()");
  await page.close();
  return Number(shown);
}

const views = [];
for (let round = 0; round < 7; round++) views.push(await firstView(browser));
const [, ...warm] = views;
console.log(`first view of a warm server: median ${median(warm).toFixed(0)} ms of ${warm.length}`);

const page = await openPage(browser, address);
await show(page, "/main/market");
await page.getByText("last price", { exact: true }).waitFor();
await burst(page, 1000, 10);
await steady(page, 100, Number(values.minutes));
await browser.close();

/** Trades at a rate, at prices that move. */
async function trade(perSecond: number, seconds: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) - count;
    const batch = Array.from({ length: Math.min(due, 200) }, (_, at) =>
      simulator.control?.product.trade({
        product: "BTC-USD",
        price: `${60_000 + ((count + at) % 11)}`,
        quantity: "0.001",
      }),
    );
    await Promise.all(batch);
    count += batch.length;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return count;
}

async function burst(of: Page, perSecond: number, seconds: number): Promise<void> {
  await of.evaluate(`
    window.seen = { frames: 0, paints: 0, changed: false, longest: 0 };
    new MutationObserver(() => { seen.changed = true; }).observe(document.getElementById("app"), { subtree: true, childList: true, characterData: true, attributes: true });
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration); }).observe({ entryTypes: ["longtask"] });
    const frame = () => { seen.frames++; if (seen.changed) { seen.paints++; seen.changed = false; } requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  `);
  const count = await trade(perSecond, seconds);
  // as: what the page has noted above.
  const seen = (await of.evaluate("seen")) as {
    readonly frames: number;
    readonly paints: number;
    readonly longest: number;
  };
  console.log(
    `${(count / seconds).toFixed(0)} trades a second for ${seconds} s: ${(seen.frames / seconds).toFixed(0)} frames a second, ` +
      `${(seen.paints / seconds).toFixed(0)} of them with a change, longest task ${seen.longest.toFixed(0)} ms`,
  );
}

async function steady(of: Page, perSecond: number, minutes: number): Promise<void> {
  const session = await of.context().newCDPSession(of);
  const heap = async (): Promise<number> => {
    await session.send("HeapProfiler.collectGarbage");
    return ((await session.send("Runtime.getHeapUsage")).usedSize ?? 0) / 1024 / 1024;
  };
  const sizes = [await heap()];
  for (let part = 0; part < 4; part++) {
    await trade(perSecond, (minutes * 60) / 4);
    sizes.push(await heap());
  }
  console.log(
    `${perSecond} trades a second for ${minutes} min, heap in MiB: ${sizes.map((size) => size.toFixed(1)).join(", ")}`,
  );
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
}
