/** Rules for every path of the listener: trading, health, stream, control, documents. */
import { describe, expect, test } from "vitest";
import { asObject } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { withVenue } from "../testing/venue.ts";

const venue = useVenue();
const ask = (method: string, path: string): Promise<Response> =>
  fetch(new URL(path, venue().baseUrl), { method });
const messageOf = async (reply: Response): Promise<unknown> => asObject(await reply.json())["message"];

const prefix = "/api/v1/trading";
const paths = [
  `${prefix}/order`,
  `${prefix}/order/open`,
  `${prefix}/order/8f14e45f-ceea-467f-a83c-91d6a2f4a001/cancel`,
  `${prefix}/product/BTC-USD`,
  `${prefix}/health/live`,
  `${prefix}/health/ready`,
  `${prefix}/ws`,
  "/__gatewright/health",
  "/__gatewright/clock",
  "/__gatewright/console",
  "/__gatewright/guide",
  "/__gatewright/guide/docs/README.md",
  "/__gatewright/guide/search",
  "/__gatewright/docs",
  "/__gatewright/docs/start.js",
  "/__gatewright/openapi.json",
  "/__gatewright/asyncapi.json",
  "/__gatewright/control.json",
  "/__gatewright/settings",
];

describe.each(paths)("%s", (path) => {
  test.each(["OPTIONS", "PATCH"])("answers %s with 405 and the methods that it has", async (method) => {
    const reply = await ask(method, path);
    expect(reply.status).toBe(405);
    const allowed = String(reply.headers.get("allow")).split(", ");
    for (const other of ["GET", "POST", "DELETE", "PUT"]) {
      const { status } = await ask(other, path);
      expect([other, status === 405]).toEqual([other, !allowed.includes(other)]);
    }
  });

  test("is never sniffed for another type", async () => {
    for (const method of ["GET", "PATCH"])
      expect((await ask(method, path)).headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("keeps an idle connection for a minute", async () => {
    expect((await ask("OPTIONS", path)).headers.get("keep-alive")).toBe("timeout=60, max=1000");
  });
});

describe("below /__gatewright", () => {
  test("an unknown path is told which there are", async () => {
    for (const path of [
      "/__gatewright",
      "/__gatewright/",
      "/__gatewright/clocks",
      "/__gatewright/docs/x.js",
      "/__gatewright/guide/docs/nothing.md",
      "/__gatewright/guide/%2e%2e/package.json",
    ]) {
      const reply = await ask("GET", path);
      expect(reply.status).toBe(404);
      expect(await messageOf(reply)).toMatch(
        /^There is no route GET \/__gatewright\S*\. Below \/__gatewright there are \/\S.*, \/clock, \/console, .*\/keys\/\{key\}.*\.$/,
      );
    }
  });

  test("the switch is named where it is off", async () => {
    await withVenue({ control: "off" }, async (silent) => {
      const reply = await fetch(new URL("/__gatewright/health", silent.baseUrl));
      expect([reply.status, await messageOf(reply)]).toEqual([
        404,
        "There is no route GET /__gatewright/health. Nothing answers below /__gatewright here: the control surface is off (gatewright serve --control).",
      ]);
    });
  });
});

test("elsewhere an unknown path is told where paths begin", async () => {
  const reply = await ask("GET", "/order");
  expect([reply.status, await messageOf(reply)]).toEqual([
    404,
    "There is no route GET /order. Paths are case-sensitive, end without a slash and begin with /api/v1/trading.",
  ]);
});

describe("the page for a person", () => {
  test("is where the bare address leads", async () => {
    const reply = await fetch(new URL("/", venue().baseUrl), { redirect: "manual" });
    expect([reply.status, reply.headers.get("location")]).toEqual([302, "/__gatewright/console"]);
    await withVenue({ control: "off" }, async (silent) => {
      expect((await fetch(new URL("/", silent.baseUrl))).status).toBe(404);
    });
  });

  test("may show the icon that it names", async () => {
    const reply = await ask("GET", "/__gatewright/console");
    const [, icon = ""] = /<link rel="icon" href="([^"]*)"/.exec(await reply.text()) ?? [];
    expect(new URL(icon).protocol).toBe("data:");
    expect(reply.headers.get("content-security-policy")).toContain("; img-src 'self' data:;");
  });

  test("tells a market time that goes on between two entries", async () => {
    await withVenue({ clock: "real" }, async (running) => {
      const health = async () => (await running.controlReply("/health", {}, "GET")).data;
      const first = await health();
      await expect.poll(async () => (await health())["marketTime"]).not.toBe(first["marketTime"]);
    });
  });
});

test("426 is in both documents", async () => {
  for (const name of ["openapi.json", "asyncapi.json"])
    expect(await (await ask("GET", `/__gatewright/${name}`)).text()).toContain("UPGRADE_REQUIRED");
});

test("a name that was allowed is answered, and no other", async () => {
  await withVenue({ allowHosts: ["host.docker.internal"] }, async (allowing) => {
    const asked = async (host: string): Promise<number> =>
      (await allowing.open("/health/live", { host })).status;
    expect([await asked("Host.docker.internal:8080"), await asked("evil.example")]).toEqual([200, 421]);
  });
});
