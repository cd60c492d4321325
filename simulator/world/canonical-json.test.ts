import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Plain } from "./canonical-json.ts";

describe("Canonical JSON", () => {
  it("sorts names by code unit and writes no blanks", () => {
    expect(canonicalJson({ b: [1, null, true], a: { é: "x", Z: "\n" } })).toBe(
      '{"a":{"Z":"\\n","é":"x"},"b":[1,null,true]}',
    );
  });

  it("means what JSON means, in any order of names", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Plain;
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
        expect(canonicalJson(JSON.parse(canonicalJson(plain)))).toBe(canonicalJson(plain));
      }),
    );
  });
});
