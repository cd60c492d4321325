/**
 * Pictures of each view of the console in both themes and three widths, from a sandbox in which something has happened.
 *
 *   npm run pictures -- FOLDER
 *
 * docs/images/ holds a few of them. Needs a Chromium on this machine.
 */
import { createHmac } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Page } from "playwright-core";
import { bodyHashOf, canonicalRequest } from "../simulator/auth/canonical-request.ts";
import { startSimulator } from "../simulator/index.ts";
import { launch, openPage, show } from "../simulator/testing/browser.ts";

const folder = path.resolve(process.argv[2] ?? "pictures");
await mkdir(folder, { recursive: true });
await using simulator = await startSimulator({ db: ":memory:", seed: 7 });
const order = async (body: object): Promise<string> => {
  const { data } = await simulator.request<{ readonly order: { readonly id: string } }>("POST", "/order", {
    body: { ...body, product: "BTC-USD", client_order_id: crypto.randomUUID() },
  });
  return data.order.id;
};

/** Some trades, orders that rest, and a request with the method signed in small letters. */
for (const price of ["59990", "60010", "59970", "60030", "60000"])
  await simulator.control?.product.trade({ product: "BTC-USD", price, quantity: "0.3" });
const bought = await order({ side: "BUY", type: "MARKET", quote_value: "5000" });
await order({ side: "BUY", type: "LIMIT", base_quantity: "0.25", price: "59900" });
await order({ side: "SELL", type: "LIMIT", base_quantity: "0.1", price: "60200" });
const refused = await fetch(`${simulator.baseUrl}/order/open`, { headers: wronglySigned() });
const views: Readonly<Record<string, string>> = {
  start: "/",
  market: "/market/BTC-USD",
  orders: "/orders",
  order: `/orders/${bought}`,
  exchange: `/exchanges/${refused.headers.get("x-request-id") ?? ""}`,
  accounts: "/accounts/alice",
  faults: "/faults",
  journal: "/journal/12",
  worlds: "/worlds",
  place: "/place",
};

/** The mistake that clients make most: the method in small letters. */
function wronglySigned(): Record<string, string> {
  const [trader] = simulator.keys;
  const [timestamp, nonce] = [String(Date.now()), crypto.randomUUID()];
  const text = canonicalRequest({
    timestamp,
    nonce,
    method: "GET",
    path: "/api/v1/trading/order/open",
    bodyHash: bodyHashOf(Buffer.alloc(0)),
  }).replace("GET", "get");
  return {
    "X-API-KEY": trader?.keyId ?? "",
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": createHmac("sha256", trader?.secret ?? "")
      .update(text)
      .digest("hex"),
    "Content-Type": "application/json",
  };
}

const browser = await launch();
async function settled(page: Page): Promise<void> {
  while ((await page.locator("main [aria-busy=true]").count()) > 0) await page.waitForTimeout(50);
  // A chart draws a frame later than its data come.
  await page.waitForTimeout(400);
}
for (const width of [360, 1280, 2560])
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await openPage(browser, simulator.readyLine().consoleUrl ?? "", { width, colorScheme });
    await page.getByText(/^live, entry/).waitFor();
    for (const [name, hash] of Object.entries(views)) {
      await show(page, hash);
      await settled(page);
      await page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
    await page.close();
  }
await browser.close();
console.log(`${Object.keys(views).length * 6} pictures in ${folder}`);
