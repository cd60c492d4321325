import { afterEach, describe, expect, it, vi } from "vitest";
import { Redactor } from "../client/redact.ts";
import { runConformance } from "../conform.ts";
import { JsonObject } from "../model/json.ts";
import { type HostileGateway, startHostileGateway } from "./faulty-gateway/hostile-gateway.ts";
import { smallSuite } from "./run-cli.ts";

/**
 * A failure of the kit while it works on an answer is a finding about that answer. Otherwise a target that is not
 * conformant could choose "an error of the kit" as its verdict.
 */
const marker = "an answer that breaks the kit";
const order = JSON.stringify({
  statusCode: 200,
  success: true,
  data: { type: "NEW_ORDER", order: { id: marker, clientOrderId: marker, productId: marker } },
});
let target: HostileGateway | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await target?.close();
  target = undefined;
});

const broken = (): never => {
  throw new RangeError("injected");
};

/** Each takes one tool of the kit away, where it is used on the marked answer. */
const failures: Readonly<Record<string, () => void>> = {
  "reading it": () => {
    const parse = JSON.parse.bind(JSON);
    vi.spyOn(JSON, "parse").mockImplementation((text: string) =>
      text.includes(marker) ? broken() : (parse(text) as unknown),
    );
  },
  "judging it": () => {
    const real = Reflect.get(JsonObject.prototype, "get") as JsonObject["get"];
    vi.spyOn(JsonObject.prototype, "get").mockImplementation(function (this: JsonObject, key: string) {
      return this.entries.get("id") === marker ? broken() : real.call(this, key);
    });
  },
  "redacting it": () => {
    const real = Reflect.get(String.prototype, "replaceAll") as (...given: unknown[]) => string;
    vi.spyOn(String.prototype, "replaceAll").mockImplementation(function (this: string, ...given: unknown[]) {
      return this.includes(marker) ? broken() : real.apply(this, given);
    });
  },
  "writing it down": () => {
    const real = Reflect.get(Redactor.prototype, "redactStart") as Redactor["redactStart"];
    vi.spyOn(Redactor.prototype, "redactStart").mockImplementation(function (this: Redactor, text, most) {
      return text.includes(marker) ? broken() : real.call(this, text, most);
    });
  },
};

describe("a failure of the kit on what a target says", () => {
  it.each(Object.keys(failures))("is a finding and no error, and every report is made: %s", async (name) => {
    const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${order.length}\r\n\r\n${order}`;
    target = await startHostileGateway({ on: "orders", answer: (socket) => socket.end(answer) });
    failures[name]?.();
    const { report } = await runConformance({
      target: target.baseUrl,
      keyId: "kid",
      secret: "the secret of a trader, 31 chars",
      scenarios: [smallSuite],
      seed: 5,
    });
    vi.restoreAllMocks();
    expect(report).toMatchObject({
      verdict: "NON_CONFORMANT",
      exitCode: 1,
      summary: { cases: { error: 0 } },
    });
    const said = JSON.stringify([report.ambient, report.cases.map(({ findings }) => findings)]);
    expect(said).toMatch(/the kit failed/);
  });
});
