/** A diagnosis of a wrong signature, as controls show it. */
import type { Diagnosis } from "../auth/signature-search.ts";
import type { Schema } from "../schema/fields.ts";
import { count, list, nullable, oneOfText, record, text } from "../wire/schema.ts";

export const diagnosisMembers = {
  state: oneOfText("`unfinished`: there was no time for every pair; `notSearched`: it came in a flood.", [
    "found",
    "unexplained",
    "unfinished",
    "notSearched",
  ]),
  mistakes: list(
    text("Id in fixtures/signing/mistakes.yaml."),
    "What was done: all of it, or where the hint says `or if`, one of it.",
  ),
  hint: nullable(text("What was done, and what to do instead.")),
  expectedCanonical: text("The text that should have been signed, at most 8192 characters."),
  signedCanonical: nullable(text("The text that the client signed, in hex (`0x…`) where it is no text.")),
  firstDifference: nullable(
    record("Where the texts differ first; null where they are equal: then the key or the digest is wrong.", {
      line: count("Line of the expected text, from 1."),
      byte: count("Byte of the expected text, from 0."),
    }),
  ),
  tried: count("How many mistakes and pairs of them were tried."),
} satisfies Record<keyof Diagnosis, Schema>;

const lines = (method: string): string =>
  `1767225600000\n9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10\n${method}\n/api/v1/trading/order/open\napplication/json\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`;

export const exampleDiagnosis: Diagnosis = {
  state: "found",
  mistakes: ["method-lower-case"],
  hint: "The signature matches if the method is signed in lower case. Sign the method in upper case, for example POST.",
  expectedCanonical: lines("GET"),
  signedCanonical: lines("get"),
  firstDifference: { line: 3, byte: 51 },
  tried: 96,
};
