/**
 * `npm run pictures`: pictures of every view of the console, in both themes and three widths, to be looked at. They go to
 * `.gatewright/console`, or to `--out FOLDER`; `--only market` chooses views.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { launch } from "../simulator/testing/browser.ts";
import { setScene } from "../simulator/testing/console-scene.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: ".gatewright/console" },
    only: { type: "string", default: "" },
    widths: { type: "string", default: "360,1280,2560" },
  },
});

const scene = await setScene({}, 7_200_000);
const browser = await launch();
mkdirSync(values.out, { recursive: true });
const places: Readonly<Record<string, string>> = {
  start: "start",
  market: "market/BTC-USD",
  orders: "orders",
  order: `orders/${scene.resting}`,
  exchanges: "exchanges",
  exchange: `exchanges/${scene.refused}`,
  doctor: "exchanges/doctor",
  accounts: "accounts/alice",
  time: "time",
  journal: "journal/8",
  worlds: "worlds",
  place: "place",
};

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of values.widths.split(",").map(Number)) {
    const page = await browser.newPage({ viewport: { width, height: width < 600 ? 780 : 860 }, colorScheme });
    await page.goto(scene.link);
    for (const [name, place] of Object.entries(places)) {
      if (!name.includes(values.only)) continue;
      await page.evaluate(`location.hash = "#/main/${place}"`);
      await page.waitForSelector("main h1");
      await page.waitForSelector("main [aria-busy=true]", { state: "detached" });
      // The chart is loaded when it is first needed, and drawn in a frame of its own.
      if (name === "market") await page.waitForSelector(".chart canvas");
      for (let frame = 0; frame < 10; frame += 1) await page.evaluate("new Promise(requestAnimationFrame)");
      const file = path.join(values.out, `${name}-${colorScheme}-${width}.png`);
      await page.screenshot({ path: file });
      console.log(file);
    }
    await page.close();
  }
}
await browser.close();
await scene.simulator.close();
process.exitCode = 0;
