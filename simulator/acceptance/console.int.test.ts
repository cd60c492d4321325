import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startSimulator } from "../index.ts";
import { executable, launch } from "../testing/browser.ts";
import { limit, type Scene, setScene } from "../testing/console-scene.ts";

const why = executable === undefined ? " (skipped: no Chromium is found on this machine)" : "";

const views = {
  start: "First minute",
  market: "Market",
  orders: "Orders",
  exchanges: "Exchanges",
  accounts: "Accounts",
  time: "Time and faults",
  journal: "Journal",
  worlds: "Worlds",
  place: "Place an order",
} as const;

const wide = { width: 1280, height: 900 };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(executable === undefined)(`the console in Chromium${why}`, () => {
  let browser: Browser;
  /** Of all pages, so that each is loaded from its cache. */
  let context: BrowserContext;
  let scene: Scene;
  const open: Page[] = [];
  /** What no page may do: ask elsewhere, break its policy, fail in a script. */
  const offences: string[] = [];

  beforeAll(async () => {
    [browser, scene] = await Promise.all([launch(), setScene()]);
    context = await browser.newContext({ viewport: wide });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.close()));
    expect(offences.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await scene.simulator.close();
  });

  async function visit(place = "", link = scene.link): Promise<Page> {
    const page = await context.newPage();
    open.push(page);
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => offences.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) offences.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(link).origin) && !/^(?:data|blob):/.test(request.url()))
        offences.push(request.url());
    });
    await page.goto(link);
    if (place !== "") await page.evaluate(`location.hash = "#/${place}"`);
    return page;
  }

  const settled = (page: Page): Promise<unknown> =>
    page.waitForSelector("main [aria-busy=true]", { state: "detached" });
  const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const control = () => {
    if (scene.simulator.control === null) throw new Error("the control surface is on");
    return scene.simulator.control;
  };

  test("opens every view, and its address leads back to it", async () => {
    const page = await visit();
    for (const title of Object.values(views)) {
      await page
        .getByRole("navigation", { name: "Views" })
        .getByRole("link", { name: title, exact: true })
        .click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await settled(page);
      expect(await page.locator(".problem").count()).toBe(0);
    }
    const address = page.url();
    // A page that is loaded again has lost the token, and leads back when it has it.
    await page.reload();
    await page.getByRole("textbox").fill(scene.simulator.control?.token ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Place an order" }).waitFor();
    expect(page.url()).toBe(address);
  });

  test("has nothing that axe finds serious, in both themes, and fits a narrow screen", async () => {
    const seen = await Promise.all([seriousIn("light", 1280), seriousIn("dark", 360)]);
    expect(seen.flat()).toEqual([]);
  });

  async function seriousIn(theme: "light" | "dark", width: number): Promise<string[]> {
    const page = await visit();
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 780 });
    await page.evaluate(axe);
    // The themes differ in their colours alone, so one of them meets all rules.
    const ofColours = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };
    const rules = { resultTypes: ["violations"], ...(theme === "light" ? {} : ofColours) };
    const objects = [
      `orders/${scene.resting}`,
      `exchanges/${scene.refused}`,
      "exchanges/doctor",
      "journal/3",
    ];
    const seen: string[] = [];
    for (const place of [...Object.keys(views), ...objects]) {
      await page.evaluate(`location.hash = "#/main/${place}"`);
      await page.waitForSelector("main h1");
      await settled(page);
      expect([place, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([place, width]);
      const found = await page.evaluate(
        `axe.run(${JSON.stringify(rules)}).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ": " + nodes[0].html))`,
      );
      // as: the texts that the page has made.
      seen.push(...(found as string[]).map((text) => `${theme} ${place} ${text}`));
    }
    return seen;
  }

  test("takes the token out of the address", async () => {
    const page = await visit();
    await says(page, "live");
    expect(page.url()).not.toContain("token");
    expect(await page.content()).not.toContain(control().token);
  });

  test("says where the link is when the token is wrong, and takes a right one", async () => {
    const page = await visit("", scene.link.replace(/token=.*/, "token=of-an-earlier-start"));
    await says(page, /has refused the token/);
    await page.getByLabel("Link or token").fill(scene.link);
    await press(page, "Open the console");
    await page.getByRole("heading", { level: 1, name: "First minute" }).waitFor();
  });

  test("shows an order that comes while it is open, with its story, and fills it", async () => {
    const page = await visit("main/orders");
    await settled(page);
    const reply = await scene.other.place({ ...limit(), price: "58000" });
    const { id } = reply.data["order"] as { readonly id: string };
    await page.getByRole("link", { name: `${id.slice(0, 8)}…` }).click();
    await says(page, /bob placed a LIMIT BUY of 0.01 BTC at 58000 USD/);
    await control().clock.advance({ ms: 1000 });
    await says(page, /It is the first at its price/);
    await press(page, "Fill");
    await page.locator(".facts .tag", { hasText: "FILLED" }).waitFor();
  });

  test("shows a refusal in its own words, and keeps what was typed", async () => {
    const page = await visit("main/market/BTC-USD");
    await page.getByLabel("Quantity").first().fill("many");
    await press(page, "Print a trade");
    await says(page, /400 .*quantity/);
    expect(await page.getByLabel("Quantity").first().inputValue()).toBe("many");
  });

  test("halts a product and resumes it", async () => {
    const page = await visit("main/market/ETH-USD");
    await press(page, "Halt");
    await page.locator(".tabs .tag", { hasText: "halted" }).waitFor();
    await press(page, "Resume");
    await page.locator(".tabs .tag", { hasText: "halted" }).waitFor({ state: "detached" });
  });

  test("chooses what happens to the next order, says so wherever one is placed, and takes it back", async () => {
    const page = await visit("main/time");
    await page.getByLabel("Find").first().fill("stuck_pending");
    await press(page, "Arm");
    await page.locator(".tag", { hasText: "armed for trader" }).waitFor();
    await page.evaluate('location.hash = "#/main/place"');
    await says(page, /^Armed: the next order/);
    await press(page, "Disarm");
    await says(page, /STUCK_PENDING is disarmed/);
    await page.getByText(/^Armed: the next order/).waitFor({ state: "detached" });
    await page.evaluate('location.hash = "#/main/time"');
    await page.getByLabel("Find").first().fill("stuck_pending");
    await press(page, "Arm");
    await page.evaluate('location.hash = "#/main/place"');
    await says(page, /^Armed: the next order/);
    await press(page, "Sign and send");
    await page.locator("pre", { hasText: '"status": "PENDING"' }).waitFor();
    // Used up, it waits for nobody.
    await page.getByText(/^Armed: the next order/).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /…$/ }).first().click();
    await says(page, /^Now:/);
  });

  test("shows a wrong signature with the bytes that differ", async () => {
    const page = await visit("main/place");
    await page.getByLabel("Get this wrong").selectOption("method");
    await press(page, "Sign and send");
    await page.getByRole("link", { name: "see the exchange" }).click();
    await page.locator(".problem", { hasText: "Sign the method in upper case" }).waitFor();
    expect(await page.locator("mark").allTextContents()).toEqual(["POST", "post"]);
  });

  test("shows what a client wrote as text, whatever it is", async () => {
    const product = '<img src=x onerror="document.title=1">\u202e\u0000</pre><script>';
    const reply = await scene.trader.place({ ...limit(), product });
    await scene.trader.place({
      ...limit(),
      side: `<iframe src="javascript:alert(1)">\u0007${"x".repeat(900_000)}`,
    });
    const hostile = "/api/v1/trading/order/%3Cimg%20src=x%3E?a=<script>alert(2)</script>\u202e";
    await fetch(new URL(encodeURI(hostile), scene.simulator.baseUrl), {
      headers: { "x-request-id": "<b>id</b>", "x-note": "<svg onload=alert(3)>" },
    });
    const page = await visit(`main/exchanges/${String(reply.headers["x-request-id"])}`);
    await page.locator("pre", { hasText: "<img src=x onerror=" }).first().waitFor();
    for (const link of (await page.locator("td:first-child a").all()).slice(0, 4)) {
      await link.click();
      await page.locator(".checks").waitFor();
      await settled(page);
    }
    expect(await page.locator("main :is(img, script, svg, iframe, pre pre, b b)").count()).toBe(0);
    expect(await page.locator("main").textContent()).not.toMatch(/[\u202e\u0000\u0007]/);
    expect(await page.title()).toContain("Gatewright");
  });

  test("forks a world at an entry, shows it, deletes it and says so", async () => {
    const page = await visit("main/journal/12");
    await press(page, "Fork from here");
    await page.getByRole("heading", { level: 1, name: "Market" }).waitFor();
    expect(await page.getByLabel("World", { exact: true }).inputValue()).toBe("at-12");
    const other = await visit("at-12/market");
    await says(other, "live");
    await page.evaluate('location.hash = "#/main/worlds"');
    await press(page, "Delete");
    await press(page, "Press again to delete");
    await says(other, /There is no world at-12/);
  });

  test("finds views and ids from the keyboard", async () => {
    const page = await visit();
    const palette = page.getByRole("combobox", { name: /^Type a view/ });
    await page.waitForSelector("main h1");
    await page.keyboard.press("Control+k");
    await palette.fill("journal");
    await palette.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Journal" }).waitFor();
    await page.keyboard.press("Control+k");
    await palette.fill(scene.resting);
    await palette.press("Enter");
    await says(page, /alice placed/);
  });

  test("paints at most once a frame while orders pour in", async () => {
    const page = await visit("main/orders");
    await settled(page);
    await page.evaluate(`
      window.frames = 0; window.paints = 0;
      const frame = () => { window.frames += 1; window.changed = false; requestAnimationFrame(frame); };
      requestAnimationFrame(frame);
      new MutationObserver(() => { window.paints += 1; }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });`);
    await Promise.all(Array.from({ length: 100 }, () => scene.other.place({ ...limit(), price: "57000" })));
    const [paints, frames] = (await page.evaluate("[paints, frames]")) as [number, number];
    expect(paints).toBeLessThanOrEqual(frames + 1);
  });

  test("lets go of its connection while nobody sees it, and has missed nothing", async () => {
    const page = await visit("main/orders");
    await says(page, "live");
    const hide = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));`);
    const gone = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/feed"));
    await hide(true);
    await gone;
    const { data } = await scene.other.place({ ...limit(), price: "56000" });
    const { id } = data["order"] as { readonly id: string };
    await hide(false);
    await page.getByRole("link", { name: `${id.slice(0, 8)}…` }).waitFor();
  });

  test("says that the sandbox is away, and goes on when it is back", async () => {
    const first = await startSimulator({
      db: ":memory:",
      port: 0,
      controlToken: "a-token-that-stays-the-same",
    });
    const port = Number(new URL(first.baseUrl).port);
    const page = await visit("main/market", first.readyLine().consoleUrl ?? "");
    await says(page, "live");
    await first.close();
    await says(page, /The sandbox does not answer/);
    const second = await startSimulator({
      db: ":memory:",
      port,
      controlToken: "a-token-that-stays-the-same",
    });
    await page.locator(".link.live").waitFor();
    await page.close();
    await second.close();
  });
});
