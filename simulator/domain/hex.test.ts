import { expect, test } from "vitest";
import { hexDigit, hexWord } from "./hex.ts";

test("a hex digit is worth what it says, and any other character is none", () => {
  for (let code = 0; code < 0x200; code++) {
    const character = String.fromCharCode(code);
    const worth = /^[0-9a-fA-F]$/.test(character) ? Number.parseInt(character, 16) : -1;
    expect([character, hexDigit(code)]).toEqual([character, worth]);
  }
});

test("digits are read from any place of a text, letter case aside", () => {
  expect([hexWord("xx0aF9yy", 2, 6), hexWord("fffffff", 0, 7), hexWord("12", 1, 1)]).toEqual([
    0x0af9, 0xfffffff, 0,
  ]);
});
