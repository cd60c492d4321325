import { describe, expect, it } from "vitest";
import { readMessage } from "./read-message.ts";

const read = (message: unknown) => readMessage(Buffer.from(JSON.stringify(message)));

function errorOf(message: unknown) {
  const result = read(message);
  if (result.ok) throw new Error(`${JSON.stringify(message)} was taken`);
  return result.error;
}

describe("A message of a client", () => {
  it("is read, each name once; null counts as absent, and unknown members are ignored", () => {
    const given = { type: "subscribe", channels: ["trades", "trades"], products: ["BTC-USD", "BTC-USD"] };
    const taken = { type: "subscribe", channels: ["trades"], products: ["BTC-USD"], granularity: null };
    expect(read({ ...given, requestId: "", note: {} })).toEqual({
      ok: true,
      value: { ...taken, requestId: "" },
    });
    expect(read({ ...given, requestId: null, channel: null })).toEqual({
      ok: true,
      value: { ...taken, requestId: null },
    });
    expect(read({ type: "ping", channel: 7 })).toEqual({
      ok: true,
      value: { type: "ping", requestId: null },
    });
  });

  it("is told all that is wrong, with the code of the first, and its own id", () => {
    const wrong = { type: "subscribe", channel: "trade", products: "BTC-USD", granularity: "1m" };
    const { code, message, requestId } = errorOf({ ...wrong, requestId: "r1" });
    expect([code, requestId]).toEqual(["UNKNOWN_CHANNEL", "r1"]);
    expect(message).toMatch(/^channel must be one of .*, was "trade"; did you mean "trades"\?/);
    expect(message).toMatch(
      /products must be a list, was "BTC-USD".*granularity must be one of .*, was "1m"/,
    );
  });

  it("is not answered at a length that it chooses", () => {
    const { code, message } = errorOf({ type: "subscribe", channels: Array(1000).fill("x".repeat(99)) });
    expect(code).toBe("UNKNOWN_CHANNEL");
    expect(message.length).toBeLessThan(1100);
    expect(errorOf({ type: "subscribe", channels: Array(1001).fill("trades") }).code).toBe("INVALID_MESSAGE");
  });

  it("gets no id back that it may not have", () => {
    for (const requestId of ["x".repeat(65), 7, {}])
      expect(errorOf({ type: "ping", requestId })).toMatchObject({
        code: "INVALID_MESSAGE",
        requestId: null,
      });
  });
});
