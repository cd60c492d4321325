/** The examples of docs/control.md, as printed, against running sandboxes. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Schema } from "../schema/fields.ts";
import { type Json, listIn } from "../testing/client.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { type Venue, withVenue } from "../testing/venue.ts";
import { SettingsSchema } from "../world/schema/settings.ts";

const page = readFileSync(new URL("../../docs/control.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
const line = /^call (GET|POST|PUT|DELETE) (\S+)(?: '(.*)')?$/gm;

const calls = (block: string) =>
  [...block.matchAll(line)].map(([, method = "", path = "", body]) => ({ method, path, body }));

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
    ["the sandbox of the README", 0, "real", 11],
    ["a clock that is frozen, moved and let go", 1, "real", 4],
  ] as const)("work on %s", async (_name, block, clock, count) => {
    await withVenue({ world: { extends: "demo" }, clock }, async (venue) => {
      const played = await play(venue, blocks[block] ?? "");
      expect(played).toHaveLength(count);
      expect(played.filter(([, status]) => status !== 200)).toEqual([]);
    });
  });
});

describe("settings", () => {
  const withWorld = useWorlds();

  test("what GET returns, PUT takes, and a part of it; POST does the same", async () => {
    await withWorld({}, async (venue) => {
      const settings = await venue.control("/settings", {}, "GET");
      expect(settings).toMatchObject({ stp: "cancel-newest", validation: { unknownQuery: "reject" } });
      expect(await venue.control("/settings", settings, "PUT")).toEqual(settings);
      const changed = { ...settings, stp: "none" };
      expect(await venue.control("/settings", { stp: "none" }, "PUT")).toEqual(changed);
      expect(await venue.control("/settings", {}, "POST")).toEqual(changed);
      expect(await venue.control("/settings", {}, "GET")).toEqual(changed);
    });
  });

  test("what GET returns is every setting that a world can have", async () => {
    await withWorld({}, async (venue) => {
      const settings = await venue.control("/settings", {}, "GET");
      const leaves = (value: unknown, at: string): string[] =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${at}.${name}`))
          : [at];
      const declared = (schema: Schema, at: string): string[] =>
        schema.properties === undefined
          ? [at]
          : Object.entries(schema.properties).flatMap(([name, inner]) => declared(inner, `${at}.${name}`));
      expect(leaves(settings, "").sort()).toEqual(declared(SettingsSchema, "").sort());
    });
  });

  test("what only a start can change is refused by name, and nothing of the call happens", async () => {
    await withWorld({}, async (venue) => {
      const before = await venue.control("/settings", {}, "GET");
      const body = { stp: "none", validation: { unknownQuery: "ignore" }, limits: { urlBytes: 300 } };
      const reply = await venue.controlReply("/settings", body, "PUT");
      expect(reply.status).toBe(400);
      expect(listIn(reply.body["details"]).map(({ field }) => field)).toEqual([
        "validation.unknownQuery",
        "limits.urlBytes",
      ]);
      expect(await venue.control("/settings", {}, "GET")).toEqual(before);
    });
  });
});
