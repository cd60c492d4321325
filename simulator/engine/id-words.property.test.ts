/** Client order ids as words: the spelling comes back, letter case is no part of the id, and nothing else passes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvariantViolation } from "../domain/invariant.ts";
import { capitalsOf, ID_WORDS, idText, readIdWords } from "./id-words.ts";

const wordsOf = (text: string): Int32Array => {
  const words = new Int32Array(ID_WORDS + 1);
  readIdWords(text, words, 1);
  return words;
};

describe("a client_order_id", () => {
  test("comes back as it was spelled, and is the same id in any spelling", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.array(fc.boolean(), { minLength: 36, maxLength: 36 }), (id, isCapital) => {
        const spelled = Array.from(id, (char, at) =>
          isCapital[at] === true ? char.toUpperCase() : char,
        ).join("");
        expect(idText(wordsOf(spelled), 1, capitalsOf(spelled))).toBe(spelled);
        expect(wordsOf(spelled)).toEqual(wordsOf(id));
        expect(capitalsOf(id)).toBe(0);
      }),
    );
  });

  test.each([
    "",
    "00000000-0000-4000-8000-00000000000",
    "00000000-0000-4000-8000-0000000000000",
    "00000000-0000-4000-8000-00000000000g",
    "0000000000004000800000000000000000-0",
    "00000000-0000-4000-8000000-000000000",
    "00000000-0000-4000-8000-00000000000é",
  ])("that is none (%j) is not written down", (text) => {
    expect(() => capitalsOf(text)).toThrow(InvariantViolation);
  });
});
