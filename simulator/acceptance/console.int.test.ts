/** The console in a real browser: every view, what a reader does there, and what goes wrong. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../index.ts";
import { executable, launch, type Opened, openPage, show } from "../testing/browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const why = executable === undefined ? " (skipped: no Chromium is found on this machine)" : "";

/** The name of each view, and a text that it shows once it has read what it shows. */
const views = {
  "": "Keys",
  market: "Print a trade",
  orders: "in all",
  exchanges: "Refused by",
  accounts: "movements",
  faults: "F-self-trade",
  journal: "entries",
  worlds: "Chain hash",
  place: "HMAC-SHA256",
};

const consoleOf = (simulator: Simulator): string => simulator.readyLine().consoleUrl ?? "";

const placeOne = async (page: Page): Promise<void> => {
  await show(page, "/place");
  await page.getByRole("button", { name: "Sign and send" }).click();
  await page.getByText("NEW_ORDER").waitFor();
};

describe.skipIf(executable === undefined)(`the console in Chromium${why}`, () => {
  let browser: Browser;
  let simulator: Simulator;
  beforeAll(async () => {
    [browser, simulator] = await Promise.all([launch(), startSimulator({ clock: "manual" })]);
  });
  afterAll(async () => {
    await browser.close();
    await simulator.close();
  });

  const open = async (look: Parameters<typeof openPage>[2] = {}): Promise<Opened> => {
    const opened = await openPage(browser, consoleOf(simulator), look);
    await opened.page.getByText(/^live, entry/).waitFor();
    return opened;
  };

  test("takes the token out of the address, and shows every view without an error", async () => {
    const { page, problems } = await open();
    expect(page.url()).not.toContain("token");
    await placeOne(page);
    for (const [name, text] of Object.entries(views)) {
      await show(page, `/${name}`);
      await page.getByText(text).first().waitFor();
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  test("signs an order that the sandbox takes, and leads to its story and its exchange", async () => {
    const { page } = await open();
    await placeOne(page);
    await page.getByRole("link", { name: "the order and its story" }).click();
    await page.getByText(/placed a LIMIT BUY of 0.01 BTC/).waitFor();
    await page.goBack();
    await placeOne(page);
    await page.getByRole("link", { name: "the exchange" }).click();
    await page.getByText("✓ the signature fits the request").waitFor();
    await page.close();
  });

  test("shows what others do while it is open, and acts on it", async () => {
    const { page } = await open();
    await show(page, "/orders");
    await page.getByText("in all").waitFor();
    const { data } = (await simulator.request("POST", "/order", {
      body: {
        side: "BUY",
        type: "LIMIT",
        base_quantity: "0.02",
        price: "31234",
        product: "BTC-USD",
        client_order_id: crypto.randomUUID(),
      },
    })) as { readonly data: { readonly order: { readonly id: string } } };
    await page.getByRole("cell", { name: "31234" }).waitFor();
    await show(page, `/orders/${data.order.id}`);
    await page.getByRole("button", { name: "Fill" }).waitFor();
    // Until the clock has moved, the order waits to be matched.
    await page.getByRole("button", { name: "+ 1 min" }).click();
    await page.getByText("RESTED").waitFor();
    await page.getByRole("button", { name: "Fill" }).click();
    await page.getByText("The order was filled.").waitFor();
    await page.getByText("traded as maker against the synthetic market").waitFor();
    await page.close();
  });

  test("says a refusal in the words of the sandbox", async () => {
    const { page } = await open();
    await show(page, "/market/BTC-USD");
    await page.getByRole("textbox", { name: "Price" }).fill("1.005");
    await page.getByRole("button", { name: "Print" }).click();
    await page
      .getByText(/price must be .*multiple of 0.01.*was 1.005/)
      .first()
      .waitFor();
    await page.close();
  });

  test("shows what a client wrote as text, whatever it is", async () => {
    const { page, problems } = await open();
    const hostile =
      "/api/v1/trading/order/%3Cimg%20src=x%20onerror=alert(1)%3E?a=<script>alert(2)</script>\u202e";
    await fetch(new URL(encodeURI(hostile), simulator.baseUrl), {
      headers: { "x-request-id": "<b>id</b>", "x-note": "<svg onload=alert(3)>" },
    });
    await simulator.request("POST", "/order", {
      body: { side: `<iframe src="javascript:alert(4)">\u202e\u0007${"x".repeat(900_000)}`, type: "LIMIT" },
    });
    await show(page, "/exchanges");
    await page.getByText("POST /order").first().waitFor();
    for (const link of await page.locator("td.target a").all()) {
      await link.click();
      await page.getByText("What was checked").waitFor();
    }
    expect(
      await page.evaluate("document.querySelectorAll('main :is(script, iframe, svg, img, b > b)').length"),
    ).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("goes anywhere from the keyboard", async () => {
    const { page } = await open();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "A view, an action, or an id" }).waitFor();
    await page.keyboard.type("journ");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Timeline" }).waitFor();
    expect(page.url()).toMatch(/#\/journal$/);
    await page.close();
  });

  test("makes a world, shows it, and comes back when it is deleted elsewhere", async () => {
    const { page } = await open();
    await show(page, "/worlds");
    await page.getByRole("button", { name: "Make it" }).click();
    await expect.poll(() => page.locator(".world select").inputValue()).toBe("ci");
    await simulator.control?.world.delete({ world: "ci" });
    await expect.poll(() => page.locator(".world select").inputValue()).toBe("main");
    await page.close();
  });

  test.each(["light", "dark"] as const)("has nothing that axe calls serious, %s", async (colorScheme) => {
    const { page } = await open({ colorScheme });
    await placeOne(page);
    await page.evaluate(axe);
    for (const [name, text] of Object.entries(views)) {
      await show(page, `/${name}`);
      await page.getByText(text).first().waitFor();
      // as: what axe is asked for.
      const found = (await page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))",
      )) as string[];
      expect({ view: name, found }).toEqual({ view: name, found: [] });
    }
    await page.close();
  });

  test("fits a narrow screen", async () => {
    const { page } = await open({ width: 360 });
    for (const [name, text] of Object.entries(views)) {
      await show(page, `/${name}`);
      await page.getByText(text).first().waitFor();
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 360]);
    }
    await page.close();
  });

  test("without a token, or with an old one, says where the link is", async () => {
    const address = consoleOf(simulator).split("#")[0] ?? "";
    const { page } = await openPage(browser, address);
    await page.getByRole("heading", { name: "This page needs the link of the sandbox" }).waitFor();
    await page.getByLabel("The link, or the token").fill("an-old-token-of-a-start");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "This page needs the link of the sandbox" }).waitFor();
    await page.getByLabel("The link, or the token").fill(consoleOf(simulator));
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText(/^live, entry/).waitFor();
    await page.close();
  });

  test("says that the sandbox has gone, and goes on when it is back", async () => {
    const controlToken = "a-token-that-outlives-a-restart";
    const first = await startSimulator({ controlToken });
    const { page } = await openPage(browser, consoleOf(first));
    await page.getByText(/^live, entry/).waitFor();
    const port = Number(new URL(first.baseUrl).port);
    await first.close();
    await page.getByText("The sandbox does not answer.").waitFor();
    const again = await startSimulator({ controlToken, port });
    await page.getByText(/^live, entry/).waitFor();
    await page.close();
    await again.close();
  });
});
