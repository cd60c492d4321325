/** The AsyncAPI document as a running venue serves it, and everything that its stream says against it. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { IsDateTime, IsUuid } from "typebox/format";
import { expect, test } from "vitest";
import type { JsonObject } from "../testing/client.ts";
import { followAll, playAll } from "../testing/stream-script.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { type Venue } from "../testing/venue.ts";

const withWorld = useWorlds();

interface Served {
  readonly servers: { readonly venue: { readonly host: string; readonly protocol: string } };
  readonly channels: { readonly stream: { readonly address: string } };
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly messages: readonly { readonly $ref: string }[] }>
  >;
  readonly components: { readonly messages: Readonly<Record<string, { readonly payload: object }>> };
}

const lastPart = (pointer: string): string => pointer.slice(pointer.lastIndexOf("/") + 1);

/** Reads the statements of the document about messages, from the document alone. */
class Reader {
  readonly document: Served;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: Served) {
    this.document = document;
    this.#ajv.addFormat("date-time", (value: string) => IsDateTime(value));
    this.#ajv.addFormat("uuid", (value: string) => IsUuid(value));
    this.#ajv.addSchema(document, "asyncapi");
  }

  /** Names of the messages that it could be: of its channel, or of no channel. */
  fitting(message: JsonObject): string[] {
    const { channel } = message;
    const { operations, components } = this.document;
    const own = typeof channel === "string" ? (operations[channel]?.messages ?? []) : [];
    const names =
      channel === undefined ? Object.keys(components.messages) : own.map(({ $ref }) => lastPart($ref));
    return names.filter((name) => this.fits(name, message));
  }

  fits(name: string, message: JsonObject): boolean {
    const validate = this.#ajv.getSchema(`asyncapi#/components/messages/${name}/payload`);
    if (validate === undefined) throw new Error(`no message ${name}`);
    return validate(message) === true;
  }
}

async function served({ simulator }: Venue): Promise<Served> {
  const response = await fetch(`${simulator.control?.url}/asyncapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  return (await response.json()) as Served;
}

test("the document leads to the stream, under the name by which it was asked for", async () => {
  await withWorld({}, async (venue) => {
    const { servers, channels } = await served(venue);
    const { protocol, host } = servers.venue;
    expect(`${protocol}://${host}${channels.stream.address}`).toBe(venue.simulator.wsUrl);
    const page = await (await fetch(`${venue.simulator.control?.url}/docs`)).text();
    expect(page).toContain('href="asyncapi.json"');
    const openApi = await (await fetch(`${venue.simulator.control?.url}/openapi.json`)).text();
    expect(openApi).toContain("[asyncapi.json](asyncapi.json)");
  });
});

test("every message of the stream is in the document, and all of the document's messages occur", async () => {
  await withWorld({}, async (venue) => {
    const reader = new Reader(await served(venue));
    const stream = await followAll(venue);
    stream.send({ type: "nonsense" });
    stream.subscribe("heartbeat");
    await playAll(venue);
    await stream.nextOf("heartbeat");
    await stream.caughtUp();
    const heard = new Set<string>();
    for (const message of stream.messages) {
      const fitting = reader.fitting(message);
      expect(fitting, JSON.stringify(message)).toHaveLength(1);
      fitting.forEach((name) => heard.add(name));
    }
    const said = Object.keys(reader.document.components.messages);
    expect(said.filter((name) => !heard.has(name)).sort()).toEqual(["Ping", "Subscribe", "Unsubscribe"]);
    await stream.close();
  });
});

/** The messages in the fences of the page; one may go over several lines. */
function messagesOf(page: string): JsonObject[] {
  const fences = page.matchAll(/^```json\n(.*?)^```$/gms);
  const texts = Array.from(fences, ([, text = ""]) => text.split(/\n(?=\{|$)/).filter((line) => line !== ""));
  return texts.flat().map((text) => JSON.parse(text) as JsonObject);
}

test("docs/stream.md shows each message of the document, as snapshot and as update, and no other", async () => {
  await withWorld({}, async (venue) => {
    const reader = new Reader(await served(venue));
    const shown = new Set<string>();
    for (const message of messagesOf(
      readFileSync(new URL("../../docs/stream.md", import.meta.url), "utf8"),
    )) {
      const sent = ["subscribe", "unsubscribe", "ping"].includes(String(message["type"]));
      const fitting = sent
        ? Object.keys(reader.document.components.messages).filter((name) => reader.fits(name, message))
        : reader.fitting(message);
      expect(fitting, JSON.stringify(message)).toHaveLength(1);
      fitting.forEach((name) => shown.add(name));
    }
    expect([...shown].sort()).toEqual(Object.keys(reader.document.components.messages).sort());
  });
});

test("a message with a member too many, or one too few, is none of the document's", async () => {
  await withWorld({}, async (venue) => {
    const reader = new Reader(await served(venue));
    const stream = await followAll(venue);
    const snapshot = stream.messages.find(({ type }) => type === "snapshot");
    const { timestamp, ...without } = snapshot ?? {};
    expect(reader.fitting(snapshot ?? {})).toHaveLength(1);
    expect(reader.fitting(without)).toEqual([]);
    expect(reader.fitting({ ...snapshot, more: timestamp ?? "" })).toEqual([]);
    await stream.close();
  });
});
