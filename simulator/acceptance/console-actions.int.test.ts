/** Every action of the console: what is pressed, what the page says, and what the sandbox then knows. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executable, launch, openPage, show } from "../testing/browser.ts";
import type { JsonObject } from "../testing/client.ts";
import { limit, type Scene, setScene } from "../testing/console-scene.ts";

/** A form by the name of its button, with what is typed into it; or a button alone. */
type Step = string | readonly [string, Readonly<Record<string, string>>];

interface Action {
  readonly view: string;
  readonly steps: readonly Step[];
  /** What the page says at its edge, in part. */
  readonly says: string;
  /** A control, and what its answer then has. */
  readonly leaves: readonly [string, unknown];
}

const having = (part: object): unknown => expect.objectContaining(part);
const listing = (part: unknown): unknown => expect.arrayContaining([part]);

const market: Action[] = [
  {
    view: "market/ETH-USD",
    steps: ["Disable"],
    says: "ETH-USD is disabled.",
    leaves: ["/products", having({ products: listing(having({ product: "ETH-USD", enabled: false })) })],
  },
  {
    view: "market/ETH-USD",
    steps: ["Enable"],
    says: "ETH-USD is enabled.",
    leaves: ["/products", having({ products: listing(having({ product: "ETH-USD", enabled: true })) })],
  },
  {
    view: "market/BTC-USD",
    steps: [["Print a trade", { Price: "60123", Quantity: "0.07" }]],
    says: "The trade is printed.",
    leaves: [
      "/products/BTC-USD/trades",
      having({ trades: listing(having({ price: "60123", quantity: "0.07" })) }),
    ],
  },
];

const accounts: Action[] = [
  {
    view: "accounts/alice",
    steps: ["Forbid to trade"],
    says: "alice may not trade.",
    leaves: ["/clients/alice", having({ tradingEnabled: false })],
  },
  {
    view: "accounts/alice",
    steps: ["Allow to trade"],
    says: "alice may trade.",
    leaves: ["/clients/alice", having({ tradingEnabled: true })],
  },
  {
    view: "accounts/alice",
    steps: [["Move money", { Direction: "credit", Asset: "USD", Amount: "12.34" }]],
    says: "The wallet has changed.",
    leaves: [
      "/clients/alice/ledger?limit=1",
      having({ movements: [having({ asset: "USD", change: "12.34" })] }),
    ],
  },
  {
    view: "accounts/alice",
    steps: [["Deposit", { Asset: "BTC", Amount: "0.75" }]],
    says: "The deposit has arrived",
    leaves: ["/clients/alice/ledger", having({ deposits: [having({ asset: "BTC", amount: "0.75" })] })],
  },
  {
    view: "accounts/alice",
    steps: ["Confirm once"],
    says: "One more.",
    leaves: ["/clients/alice/ledger", having({ deposits: [having({ confirmations: 1 })] })],
  },
  {
    view: "accounts/alice",
    steps: ["Fail"],
    says: "The deposit has failed.",
    leaves: ["/clients/alice/ledger", having({ deposits: [having({ status: "FAILED" })] })],
  },
  {
    view: "accounts/alice",
    steps: [["Change fees", { Maker: "0.0007" }]],
    says: "New orders pay these fees.",
    leaves: ["/clients/alice", having({ fees: having({ makerRate: "0.0007" }) })],
  },
  {
    view: "accounts/alice",
    steps: [["Set limits", { Product: "BTC-USD", "Most size": "3" }]],
    says: "The limits hold for new orders.",
    leaves: ["/clients/alice", having({ rules: [having({ product: "BTC-USD", maxOrderSize: "3" })] })],
  },
  {
    view: "accounts/alice",
    steps: [["New key", { Name: "bot", Claims: "read:orders" }]],
    says: "The key is made",
    leaves: ["/keys", listing(having({ name: "bot", client: "alice", claims: ["read:orders"] }))],
  },
];

const time: Action[] = [
  {
    view: "time",
    steps: ["Skip idle"],
    says: "The market clock skips idle time.",
    leaves: ["/clock", having({ mode: "skip-idle" })],
  },
  {
    view: "time",
    steps: ["Freeze"],
    says: "The market clock stands still.",
    leaves: ["/clock", having({ mode: "manual" })],
  },
  {
    view: "time",
    steps: [["Add rule", { Name: "late", Outcome: "STUCK_PENDING", Key: "reader", "At most": "2" }]],
    says: "The rule is in force.",
    leaves: [
      "/faults",
      having({ rules: listing(having({ id: "late", outcome: "STUCK_PENDING", count: 2 })) }),
    ],
  },
  {
    view: "time",
    steps: ["Clear all rules", "Press again to clear all"],
    says: "No fault rule is in force.",
    leaves: ["/faults", having({ rules: [] })],
  },
  {
    view: "time",
    steps: [["Hostile mode", { Seed: "11" }]],
    says: "The seed has chosen every freedom",
    leaves: ["/freedoms", having({ hostile: 11 })],
  },
  {
    view: "time",
    steps: ["Off"],
    says: "The freedoms are as the world began.",
    leaves: ["/freedoms", having({ hostile: null })],
  },
];

const worlds: Action[] = [
  {
    view: "worlds",
    steps: [["Make", { Name: "ci", Seed: "5" }]],
    says: "The world is made",
    leaves: ["/worlds", listing(having({ name: "ci", seed: 5 }))],
  },
  {
    view: "worlds",
    steps: ["Fork"],
    says: "main-fork goes on from here.",
    leaves: ["/worlds", listing(having({ name: "main-fork" }))],
  },
  {
    view: "worlds",
    steps: ["Reset", "Press again to reset"],
    says: "main begins anew.",
    leaves: ["/orders", having({ orders: [] })],
  },
];

describe.skipIf(executable === undefined)("an action of the console", () => {
  let browser: Browser;
  let scene: Scene;
  let page: Page;

  beforeAll(async () => {
    [browser, scene] = await Promise.all([launch(), setScene()]);
    page = await openPage(browser, scene.link);
  });
  afterAll(async () => {
    await browser.close();
    await scene.simulator.close();
  });

  const known = async (path: string): Promise<unknown> => {
    const { control } = scene.simulator;
    const reply = await fetch(`${control?.url}${path}`, {
      headers: { authorization: `Bearer ${control?.token}` },
    });
    // as: the envelope of the sandbox.
    return ((await reply.json()) as JsonObject)["data"];
  };

  async function take(step: Step): Promise<void> {
    const [name, typed] = typeof step === "string" ? [step, {}] : step;
    const button = page.getByRole("button", { name, exact: true });
    const form = page.locator("main form", { has: button });
    for (const [label, value] of Object.entries(typed)) {
      const field = form.getByLabel(label).first();
      await field.waitFor();
      if ((await field.and(page.locator("select")).count()) === 1) await field.selectOption(value);
      else await field.fill(value);
    }
    await button.first().click();
  }

  async function act({ view, steps, says, leaves: [path, expected] }: Action): Promise<void> {
    await show(page, `#/main/${view}`);
    for (const step of steps) await take(step);
    await page.locator(".notice", { hasText: says }).last().waitFor();
    expect(await known(path)).toEqual(expected);
  }

  test.each([...market, ...accounts, ...time])("$view: $steps.0", act);

  /** Confirmed, rejected, held: of an order that the exchange has not answered yet. */
  test.each([
    ["Confirm", "STUCK_PENDING", "The exchange has confirmed it.", "OPEN"],
    ["Reject", "STUCK_PENDING", "The exchange has rejected it.", "FAILED"],
    ["Hold", "STUCK_PENDING", "The exchange says nothing about it.", "PENDING"],
    ["Cancel", null, "The exchange has cancelled it.", "CANCELLED"],
    ["Expire", null, "It has expired.", "EXPIRED"],
  ])("an order: %s", async (label, outcome, says, status) => {
    if (outcome !== null)
      await scene.simulator.control?.outcomes.next({ key: "trader", code: outcome, count: 1 });
    const { data } = await scene.trader.place({ ...limit(), price: "57000" });
    const order = data["order"] as JsonObject;
    await act({
      view: `orders/${String(order["id"])}`,
      steps: [label],
      says,
      leaves: [`/explain/${String(order["id"])}`, having({ subject: having({ status }) })],
    });
  });

  test("a key: disabled, and enabled with another secret", async () => {
    await show(page, "#/main/accounts/bob");
    const row = page.locator("tr", { hasText: "other" }).first();
    const secret = async () =>
      ((await known("/keys")) as JsonObject[]).find(({ name }) => name === "other")?.["secret"];
    const before = await secret();
    await row.getByRole("button", { name: "Disable" }).click();
    await page.locator(".notice", { hasText: "other is disabled." }).waitFor();
    expect((await scene.other.get("/order/open")).status).toBe(401);
    await row.getByRole("button", { name: "Enable" }).click();
    await page.locator(".notice", { hasText: "other is enabled." }).waitFor();
    expect((await scene.other.get("/order/open")).status).toBe(200);
    await row.getByRole("button", { name: "Rotate" }).click();
    await row.getByRole("button", { name: "Press again to rotate" }).click();
    await page.locator(".notice", { hasText: "other has another secret." }).waitFor();
    expect(await secret()).not.toBe(before);
  });

  test("a capsule is saved", async () => {
    await show(page, "#/main/journal");
    const [download] = await Promise.all([page.waitForEvent("download"), take("Save a capsule")]);
    expect(download.suggestedFilename()).toBe("main.capsule");
    const [first, second] = readFileSync(await download.path());
    expect([first, second]).toEqual([0x1f, 0x8b]);
  });

  test.each(worlds)("$view: $steps.0", act);
});
