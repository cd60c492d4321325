/** The examples of docs/control.md, as printed, and the example of every lever, against running sandboxes. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CONTROL_ROUTES } from "../control/mount.ts";
import type { Json, JsonObject } from "../testing/client.ts";
import { limitBuy, type Venue, withVenue } from "../testing/venue.ts";

const page = readFileSync(new URL("../../docs/control.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
const LINE = /^ctl (GET|POST|DELETE) (\S+)(?: '(.*)')?$/gm;

const calls = (block: string) =>
  [...block.matchAll(LINE)].map(([, method = "", path = "", body]) => ({ method, path, body }));

async function play(venue: Venue, block: string): Promise<readonly (readonly [string, number])[]> {
  const played: (readonly [string, number])[] = [];
  for (const { method, path, body } of calls(block)) {
    const reply = await venue.controlReply(
      path,
      body === undefined ? {} : (JSON.parse(body) as Json),
      method,
    );
    played.push([`${method} ${path}`, reply.status]);
  }
  return played;
}

describe("the examples of docs/control.md", () => {
  test.each([
    ["the sandbox of the README", 0, "real", 8],
    ["a manual clock", 1, "manual", 2],
  ] as const)("work on %s", async (_name, block, clock, count) => {
    await withVenue({ world: { extends: "demo" }, clock }, async (venue) => {
      const played = await play(venue, blocks[block] ?? "");
      expect(played).toHaveLength(count);
      expect(played.filter(([, status]) => status !== 200)).toEqual([]);
    });
  });
});

/** The names of one thing each that exists in the demo world. */
async function names(venue: Venue): Promise<JsonObject> {
  const { id } = await venue.placed(limitBuy());
  const deposit = await venue.control("/clients/alice/deposits", { asset: "BTC", amount: "0.5" });
  return {
    product: "BTC-USD",
    client: "alice",
    key: "reader",
    order: id ?? "",
    deposit: deposit["id"] ?? "",
  };
}

describe("the example of a lever", () => {
  const taking = CONTROL_ROUTES.filter(({ fields, read }) => fields !== undefined || read !== undefined);

  test("exists for every lever that takes a body", () => {
    const silent = taking.filter(
      ({ fields = {}, example }) => example === undefined && Object.keys(fields).length > 0,
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test.each(
    CONTROL_ROUTES.flatMap(({ method, path, example }) =>
      example === undefined ? [] : [{ method, path, example }],
    ),
  )("$method $path takes it, and a refusal of anything else shows it", async ({ method, path, example }) => {
    await withVenue({}, async (venue) => {
      const known = await names(venue);
      const thing = path.startsWith("/orders") ? known["order"] : known["deposit"];
      const route = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(known[name] ?? thing));
      const wrong = await venue.controlReply(route, { nonsense: true }, method);
      expect(wrong.status).toBe(400);
      expect(wrong.body["message"]).toContain(`For example: ${JSON.stringify(example)}`);
      expect((await venue.controlReply(route, example as Json, method)).status).toBe(200);
    });
  });

  test("what GET /settings returns is what POST /settings takes", async () => {
    await withVenue({}, async (venue) => {
      const settings = await venue.control("/settings", {}, "GET");
      expect(await venue.control("/settings", settings)).toEqual(settings);
      expect(await venue.control("/settings", { stp: "none" })).toEqual({ ...settings, stp: "none" });
    });
  });
});
