import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readProfile } from "../testing/read-once.ts";
import { documentedDialect } from "./stream-dialect.ts";

async function profileWith(ws: object) {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "profile.yaml");
  await writeFile(
    file,
    `kit: 1
name: dialect
baseUrl: http://127.0.0.1:1/api/v1/trading
credentials: { trader: { keyId: k, secret: '\${env:SECRET}' } }
ws: ${JSON.stringify({ url: "ws://127.0.0.1:1/ws", ...ws })}
`,
  );
  return (await readProfile(file, { SECRET: "a secret" })).stream;
}

describe("the documented dialect", () => {
  it("is what a profile could also describe itself, with the same effect", async () => {
    expect(await profileWith(documentedDialect)).toEqual(await profileWith({ dialect: "gatewright" }));
  });

  it("is overridden by the statements of a profile, part by part", async () => {
    const stream = await profileWith({
      dialect: "gatewright",
      ack: "none",
      channels: { orders: "mine", trades: "absent" },
    });
    expect(stream).toMatchObject({
      ack: "none",
      channels: { orders: { name: "mine" }, trades: "absent", ticker: { name: "ticker" } },
    });
  });

  it("is used only by profiles that name it", async () => {
    expect(await profileWith({})).toMatchObject({
      channels: {},
      events: {},
      message: { sequenceScope: "connection" },
    });
  });

  it.each([
    [{ dialect: "gatewrite" }, /ws.*dialect|expected/s],
    [{ chanels: {} }, /chanels/],
    [{ channels: { odrers: "x" } }, /odrers/],
    [{ events: { order: { order: "#/o" } } }, /when/],
    [{ url: "http://127.0.0.1:1/ws" }, /ws:\/\/ or wss:\/\//],
  ])("%j is refused with its place", async (ws, why) => {
    const refusal = await profileWith(ws).catch((error: { problems?: { message: string }[] }) => error);
    expect(JSON.stringify(refusal)).toMatch(why);
  });
});
