/** The stream clients of this folder at a real venue, over a network that cuts them off again and again. */
import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Simulator, startSimulator } from "../../../simulator/index.ts";
import { sampled } from "../../../tools/sampled.ts";
import { cuttingProxy, type Trouble } from "../testing/cutting-proxy.ts";
import { follow, type Language } from "../testing/follower.ts";
import { Gateway } from "./gateway.ts";
import type { Level } from "./local-book.ts";
import type { Order } from "./own-orders.ts";

const languages: readonly Language[] = sampled(2, ["TypeScript", "Python"]);
const withoutPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).error !== undefined;
const keyId = "gw_demo_trader";
const secret = "sandbox-only-secret-of-gw_demo_trader";
const root = path.resolve(import.meta.dirname, "../../..");

let scratch = "";
beforeAll(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-stream-clients-"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** `still`: nothing happens in it but what it is asked for, at once. */
async function venue(kind: "lively" | "still"): Promise<Simulator> {
  const still = {
    clock: "manual",
    world: { extends: "demo", market: "ladder", settings: { matchDelayMs: 0 } },
  } as const;
  const simulator = await startSimulator(kind === "still" ? still : {});
  closing.push(() => simulator.close());
  return simulator;
}

async function through({ baseUrl }: Simulator, troubles: readonly Trouble[]) {
  const proxy = await cuttingProxy(baseUrl, troubles);
  closing.push(() => proxy.close());
  return proxy;
}

/** Between two orders: a client that waits to connect again, or to notice a silence, misses as much of slow trading. */
const pauseMs = 10;

/** In the handshake, in acknowledgements, in the snapshot of the book, and in what follows it. */
const cutAt = [0, 60, 150, 400, 1200, 2500, 4000].map((after): Trouble => ({ after, kind: "cut" }));

describe.each(languages)("The %s client at a venue", (language) => {
  const test = it.skipIf(language === "Python" && withoutPython);

  /** Numbers follow the market. */
  const unnumbered = (text: string): string => text.replaceAll(/\b\d[\d.]*\b/g, "N");
  const readme = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8");
  const shown = /^```text\n(.*?)^```$/ms.exec(readme)?.[1] ?? "";

  test("takes the walk of the README when its connections are cut, wherever that is", async () => {
    const proxy = await through(await venue("lively"), cutAt);
    const { code, stdout, stderr } = await walk(language, proxy.baseUrl);
    expect(unnumbered(stdout)).toBe(unnumbered(shown));
    expect(code).toBe(0);
    expect(proxy.cuts()).toBeGreaterThanOrEqual(cutAt.length - 2);
    expect(stderr.match(/^disconnected \(/gm)?.length).toBeGreaterThanOrEqual(cutAt.length - 2);
  });

  test("takes the same walk when every answer comes after the events that it caused", async () => {
    const fault = { kind: "delayResponse", ms: 400 };
    const faults = [{ id: "late", route: "POST /order", fault }];
    const simulator = await startSimulator({ world: { extends: "demo", faults } });
    closing.push(() => simulator.close());
    const { code, stdout, stderr } = await walk(language, simulator.baseUrl);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(unnumbered(stdout)).toBe(unnumbered(shown));
  });

  test("says what a 401 says, and does not ask again", async () => {
    const proxy = await through(await venue("lively"), []);
    const { code, stderr } = await walk(language, proxy.baseUrl, { GATEWRIGHT_SECRET: "another" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/handshake: 401 .*INVALID_SIGNATURE/);
    expect(stderr).not.toMatch(/connecting again/);
  });

  test("has the venue's book and its own orders right after cuts and a silence in the middle of trading", async () => {
    const simulator = await venue("still");
    const troubles: Trouble[] = [...cutAt, { after: 6000, kind: "cut" }, { after: 9000, kind: "stall" }];
    const proxy = await through(simulator, troubles);
    const order = randomUUID();
    const follower = follow(language, { baseUrl: proxy.baseUrl, keyId, secret, order });
    closing.push(() => follower.stop());
    const gateway = new Gateway(simulator.baseUrl, keyId, secret);
    const { id } = await place(gateway, "30000", order);
    const seen = follower.state((state) => state.order === "OPEN");
    let cancelled: Promise<unknown> | undefined;
    void seen.then(() => (cancelled = gateway.call("DELETE", `/order/${id}`)));
    for (let n = 0; proxy.cuts() < troubles.length; n += 1) {
      const { id: other } = await place(gateway, String(31_000 + n));
      if (n % 16 !== 0) await gateway.call("DELETE", `/order/${other}`);
      await sleep(pauseMs);
    }
    await seen;
    await cancelled;
    const { bookSequence, bids, asks } = await gateway.call<Book>("GET", "/order-book/BTC-USD?depth=100");
    const last = await follower.state(
      (state) => state.sequence === bookSequence && state.order === "CANCELLED",
    );
    expect(last).toEqual({ sequence: bookSequence, bids, asks, order: "CANCELLED" });
    expect(bids.length).toBeGreaterThan(20);
  });
});

describe.each(languages)(
  "The %s client at a venue that loses, repeats, shuffles, stalls and cuts",
  (language) => {
    it.skipIf(language === "Python" && withoutPython)("has the venue's book in the end", async () => {
      const faults = [
        { id: "loss", percent: 10, count: 6, fault: { kind: "streamDrop" } },
        { id: "echo", percent: 20, count: 12, fault: { kind: "streamDuplicate" } },
        { id: "shuffle", percent: 10, count: 6, fault: { kind: "streamReorder" } },
        { id: "cut", nth: 60, fault: { kind: "streamClose" } },
        { id: "stall", nth: 90, fault: { kind: "streamStall", ms: 60_000 } },
      ];
      const world = { extends: "demo", settings: { matchDelayMs: 0 }, faults };
      const simulator = await startSimulator({ clock: "manual", world });
      closing.push(() => simulator.close());
      const follower = follow(language, { baseUrl: simulator.baseUrl, keyId, secret, order: "" });
      closing.push(() => follower.stop());
      const gateway = new Gateway(simulator.baseUrl, keyId, secret);
      const missed = () => follower.notes.join("\n");
      for (let n = 0; !/missing.*disconnected.*disconnected/s.test(missed()); n += 1) {
        const { id } = await place(gateway, String(31_000 + (n % 500)));
        if (n % 16 !== 0) await gateway.call("DELETE", `/order/${id}`);
        await sleep(pauseMs);
      }
      const { bookSequence, bids, asks } = await gateway.call<Book>("GET", "/order-book/BTC-USD?depth=100");
      const last = await follower.state(({ sequence }) => sequence === bookSequence);
      expect(last).toMatchObject({ bids, asks });
    });
  },
);

interface Book {
  readonly bookSequence: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

async function place(gateway: Gateway, price: string, id: string = randomUUID()): Promise<Order> {
  const limit = { side: "BUY", type: "LIMIT", product: "BTC-USD", base_quantity: "0.001", price };
  return (await gateway.call<{ order: Order }>("POST", "/order", { ...limit, client_order_id: id })).order;
}

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function walk(language: Language, baseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const [program, file] =
    language === "Python"
      ? ["python3", path.join(import.meta.dirname, "walk.py")]
      : [process.execPath, (walkJs ??= compiled())];
  const settings = {
    NO_PROXY: "*",
    no_proxy: "*",
    PYTHONDONTWRITEBYTECODE: "1",
    GATEWRIGHT_BASE_URL: baseUrl,
  };
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...settings, ...env } };
    execFile(program, [file], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr }),
    );
  });
}

let walkJs: string | undefined;

/** walk.ts as an older Node runs it, with the command of the README. */
function compiled(): string {
  const command = /^node_modules\/\.bin\/tsc (.*?)\\\n(.*?)$/m.exec(
    readFileSync(path.join(import.meta.dirname, "README.md"), "utf8"),
  );
  const args = `${command?.[1]} ${command?.[2]}`.trim().split(/\s+/);
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const ended = spawnSync(
    process.execPath,
    [compiler, ...args.map((arg) => (arg === "dist/clients" ? scratch : arg))],
    { cwd: root, encoding: "utf8" },
  );
  expect(ended.stdout).toBe("");
  writeFileSync(path.join(scratch, "package.json"), '{ "type": "module" }\n');
  const modules = path.join(scratch, "node_modules");
  rmSync(modules, { force: true });
  symlinkSync(path.join(root, "node_modules"), modules);
  return path.join(scratch, "walk.js");
}
