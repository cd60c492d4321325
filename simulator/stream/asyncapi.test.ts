/** The document of the stream: complete, and judged by a parser that is not ours. */
import { Parser } from "@asyncapi/parser";
import { describe, expect, it } from "vitest";
import { faults } from "../wire/testing/ajv.ts";
import { asyncApiDocument } from "./asyncapi.ts";
import { allChannels, channelNames } from "./channels.ts";
import { clientMessages } from "./client-messages.ts";
import { serverMessages } from "./messages.ts";

const source = { host: "127.0.0.1:8080", protocol: "ws", prefix: "/api/v1/trading" } as const;
const text = JSON.stringify(asyncApiDocument(source));

interface AsyncApi {
  readonly servers: { readonly venue: { readonly host: string } };
  readonly channels: { readonly stream: { readonly messages: Readonly<Record<string, unknown>> } };
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly examples: readonly { readonly payload: unknown }[] }>
    >;
  };
  readonly operations: Readonly<
    Record<
      string,
      { readonly "x-claims"?: readonly string[]; readonly messages: readonly { readonly $ref: string }[] }
    >
  >;
}

// as: the parts that this file looks at.
const document = JSON.parse(text) as AsyncApi;

/** 3.1 is out, but fewer tools read it; it has nothing that this document needs. */
const regardless = "asyncapi-latest-version";

async function problemsIn(read: string): Promise<string[]> {
  const { diagnostics } = await new Parser().parse(read);
  return diagnostics
    .filter(({ code }) => code !== regardless)
    .map(({ code, message, path }) => `${code} ${path.join(".")}: ${message}`);
}

describe("The AsyncAPI document", () => {
  it("is accepted by the parser of the AsyncAPI project, without a warning", async () => {
    expect(await problemsIn(text)).toEqual([]);
  });

  it("would not be accepted with an action, a record or a message that does not exist", async () => {
    const broken = [
      ['"action":"send"', '"action":"publish"', /action/],
      ["#/components/schemas/Order", "#/components/schemas/Ordre", /Ordre/],
      ["#/components/messages/Pong", "#/components/messages/Png", /Png/],
    ] as const;
    const problems = await problemsIn(
      broken.reduce((read, [right, wrong]) => {
        expect(read).toContain(right);
        return read.replace(right, wrong);
      }, text),
    );
    for (const [, , problem] of broken) expect(problems.join("\n")).toMatch(problem);
  });

  it("has every message, and each channel with its messages and its claim", () => {
    const names = [...clientMessages, ...serverMessages].map(({ name }) => name);
    expect(Object.keys(document.channels.stream.messages)).toEqual(names);
    for (const channel of channelNames) {
      const operation = document.operations[channel];
      const own = serverMessages.filter((message) => message.channel === channel);
      expect(own.length, channel).toBeGreaterThan(0);
      expect(operation?.messages.map(({ $ref }) => $ref)).toEqual(
        own.map(({ name }) => `#/channels/stream/messages/${name}`),
      );
      const { claim } = allChannels[channel];
      expect(operation?.["x-claims"], channel).toEqual(claim === null ? undefined : [claim]);
    }
  });

  it.each([...clientMessages, ...serverMessages])(
    "shows an example of $name that its schema accepts",
    (message) => {
      const [example] = document.components.messages[message.name]?.examples ?? [];
      expect(faults(message.schema, example?.payload), JSON.stringify(example?.payload)).toEqual([]);
      expect(Object.keys(Object(example?.payload)).length).toBeGreaterThan(1);
    },
  );

  it("names the host that it was asked for", () => {
    expect(document.servers.venue.host).toBe(source.host);
    expect(asyncApiDocument({ ...source, host: "sandbox.example:9" })).toMatchObject({
      servers: { venue: { host: "sandbox.example:9" } },
    });
  });
});
