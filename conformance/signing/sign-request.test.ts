import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../package-root.ts";
import { showSignature } from "./show-signature.ts";
import { type SigningInput, signRequest } from "./sign-request.ts";
import {
  flipBit,
  inOrder,
  noHeaderEdits,
  plainPlan,
  signAsPlanned,
  textFrom,
  timestampFrom,
  transformed,
} from "./tamper.ts";

interface Vector {
  readonly tcId: number;
  readonly comment: string;
  readonly flags: readonly string[];
  readonly secret: string;
  readonly request: {
    readonly timestamp: string;
    readonly nonce: string;
    readonly method: string;
    readonly path: string;
    readonly contentType: string;
    readonly body?: string;
    readonly bodyBase64?: string;
    readonly bodyGenerator?: { readonly repeat: string; readonly times: number };
  };
  readonly signedPath?: "path" | "path-and-query";
  readonly bodySha256: string;
  readonly canonical: string;
  readonly signature: string;
  readonly result: "valid" | "invalid";
}

const file = join(packageRoot(), "fixtures", "signing", "vectors.json");
const { tests } = JSON.parse(readFileSync(file, "utf8")) as { tests: readonly Vector[] };

function inputOf({ request, secret, signedPath }: Vector): SigningInput {
  const { body: text = "", bodyBase64, bodyGenerator } = request;
  const generated = bodyGenerator?.repeat.repeat(bodyGenerator.times);
  const body =
    bodyBase64 === undefined ? Buffer.from(generated ?? text, "utf8") : Buffer.from(bodyBase64, "base64");
  const path = signedPath === "path-and-query" ? request.path : (request.path.split("?")[0] ?? "");
  const { timestamp, nonce, method } = request;
  return { keyId: "kid", secret, timestamp, nonce, method, path, contentType: "application/json", body };
}

describe("signRequest", () => {
  it.each(tests.filter(({ result }) => result === "valid"))(
    "vector $tcId, stage by stage: $comment",
    (vector) => {
      const signed = signRequest(inputOf(vector));
      expect(signed.bodyHash).toBe(vector.bodySha256);
      expect(signed.canonical).toBe(vector.canonical);
      // Vector 37 has the same digest in upper case. A gateway may accept that spelling, but the signer does not send
      // it.
      const written = vector.flags.includes("encoding") ? vector.signature.toLowerCase() : vector.signature;
      expect(signed.signature).toBe(written);
    },
  );

  it.each(tests.filter(({ result, secret }) => result === "invalid" && secret !== ""))(
    "vector $tcId is not what the specification asks for: $comment",
    (vector) => {
      expect(signRequest(inputOf(vector)).signature).not.toBe(vector.signature);
    },
  );

  it("sends the five headers in the order of the table, and never the secret", () => {
    const [first] = tests;
    const { headers } = signRequest(inputOf(first as Vector));
    expect(headers.map(([name]) => name)).toEqual([
      "X-API-KEY",
      "X-API-TIMESTAMP",
      "X-API-NONCE",
      "X-API-SIGNATURE",
      "Content-Type",
    ]);
    expect(JSON.stringify(headers)).not.toContain((first as Vector).secret);
  });
});

describe("signAsPlanned", () => {
  const input = inputOf(tests[5] as Vector);
  const body = { ...input, keyId: "kid" };

  it("is signRequest when the plan is plain", () => {
    expect(signAsPlanned(input, plainPlan)).toEqual(signRequest(input));
  });

  // Variations of SV-02 that must not verify.
  const neighbours: readonly (readonly [string, Parameters<typeof signAsPlanned>[1], string])[] = [
    [
      "a trailing newline",
      { ...plainPlan, form: { ...plainPlan.form, suffix: "\n" } },
      "fe0f8680adb84c33cfff6b553766dd08084494ac6345c40ff03b0702dfb7bb1d",
    ],
    [
      "CRLF",
      { ...plainPlan, form: { ...plainPlan.form, joiner: "\r\n" } },
      "1c0b3bf2f6259f95a8bdcafd2e035f81558a49426d6607baeeeba785230f6373",
    ],
    [
      "the relative path",
      { ...plainPlan, override: { path: "/order" } },
      "72ac9892b1dfe5450255bf08b929f4777278f180a8a44ba8053ba1fda8ba5b96",
    ],
    [
      "a lower-case method",
      { ...plainPlan, override: { method: "lower" } },
      "e210165cdedcdcb974ac71ce85adbd989963ecf2fb5237af1689a7d6f6c4bf76",
    ],
    [
      "seconds",
      { ...plainPlan, override: { timestamp: "seconds" } },
      "2bf3f6c017324d550b208da325c4330fe534aa97720e5a5d432789e8ddd3b648",
    ],
    [
      "an upper-case hash",
      { ...plainPlan, override: { bodyHash: "upper" } },
      "ff79fe002d82a69b62f08b4b61bda2089241d516e3707bf89a0b502e6ddc2114",
    ],
    ["base64", { ...plainPlan, transform: ["base64"] }, "MDQzbGQ5MtpksXQ86ZYnX3l4TcQB2sGBk+MA9bMsU3A="],
  ];
  it.each(neighbours)("makes the wrong signature of %s", (_, plan, signature) => {
    expect(signAsPlanned(body, plan).signature).toBe(signature);
  });

  it("edits headers by name, in any letter case", () => {
    const { headers } = signAsPlanned(input, {
      ...plainPlan,
      headers: {
        ...noHeaderEdits,
        omit: ["x-api-nonce"],
        set: { "x-api-key": "other", "X-Extra": "1" },
        duplicate: ["X-API-TIMESTAMP"],
        rename: { "Content-Type": "content-type" },
      },
    });
    expect(headers.map(([name, value]) => (name === "X-API-SIGNATURE" ? name : `${name}=${value}`))).toEqual([
      "X-API-KEY=other",
      "X-API-TIMESTAMP=1767225600000",
      "X-API-TIMESTAMP=1767225600000",
      "X-API-SIGNATURE",
      "content-type=application/json",
      "X-Extra=1",
    ]);
  });
});

describe("small tampering", () => {
  it("sends named headers first, in the order of their names, and the others as they stood", () => {
    const headers = ["X-API-KEY", "Content-Type", "X-Extra", "x-api-nonce"].map(
      (name) => [name, "1"] as const,
    );
    const sorted = inOrder(headers, ["X-API-NONCE", "x-extra", "absent"]);
    expect(sorted.map(([name]) => name)).toEqual(["x-api-nonce", "X-Extra", "X-API-KEY", "Content-Type"]);
  });

  it("counts bits from the left", () => {
    expect(flipBit(Buffer.from("00ff", "hex"), 0).toString("hex")).toBe("80ff");
    expect(flipBit(Buffer.from("00ff", "hex"), 15).toString("hex")).toBe("00fe");
    expect(() => flipBit(Buffer.from("00", "hex"), 8)).toThrow("there is no bit 8");
  });

  it("shifts timestamps by durations", () => {
    expect(timestampFrom("1000000", "+1ms")).toBe("1000001");
    expect(timestampFrom("10000000", "-1h")).toBe("6400000");
    expect(timestampFrom("1000000", "abc")).toBe("abc");
    expect(timestampFrom("1000000", "prepend(0)")).toBe("01000000");
  });

  it("respells the value of a header", () => {
    const words = ["upper", "lower", "append(.0)", "prepend( )", "another", "upper(cD)", "lower(cD)"];
    const respelled = ["AB", "ab", "aB.0", " aB", "another", "CD", "cd"];
    expect(words.map((word) => textFrom("aB", word))).toEqual(respelled);
  });

  it("applies transforms from left to right", () => {
    expect(transformed("ab12", ["upperHex", "truncate(3)", "append(-)"])).toBe("AB1-");
    expect(transformed("ab12", ["empty"])).toBe("");
    expect(() => transformed("ab12", ["reverse"])).toThrow("unknown signature transform");
  });
});

describe("showSignature", () => {
  it("shows every line with its end and a command that sends exactly this", () => {
    const shown = showSignature(
      {
        ...inputOf(tests[0] as Vector),
        body: Buffer.from(`{"note":"it's"}`),
        keyId: "kid_demo",
      },
      "http://127.0.0.1:8080/api/v1/trading/order?note=1",
    );
    expect(shown).toContain(
      "curl --noproxy '*' -X POST 'http://127.0.0.1:8080/api/v1/trading/order?note=1' ",
    );
    expect(shown).toContain("  POST\\n\n  /api/v1/trading/order\\n\n  application/json\\n\n");
    expect(shown).toContain(`--data-binary '{"note":"it'\\''s"}'`);
    expect(shown).not.toContain((tests[0] as Vector).secret);
  });
});
