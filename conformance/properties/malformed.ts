import { calculate } from "../check/calc.ts";
import type { Value } from "../model/value.ts";

/**
 * Malformed values that clients send, and the rule of the document for each. `refused`: it is not a value of the field.
 * `advice`: it should be refused, and a lenient reader does no harm. `same`: another spelling of the number, which may
 * be refused, or accepted as that number and no other (F-decimal-input).
 */
export type Verdict = "refused" | "advice" | "same";

export interface Malformed {
  /** Undefined: the field is left out. */
  readonly value: Value | undefined;
  readonly verdict: Verdict;
  /** Replaces the clause of the field. */
  readonly clause?: string;
}

export type Kind = "amount" | "word" | "id" | "pair";

export interface Field {
  readonly kind: Kind;
  /** For a value that is not valid. */
  readonly clause: string;
  /** For a field that every order needs, when it is left out. */
  readonly needed?: string;
  /** The place where an order shows the field, and the check that it shows the requested value. */
  readonly shown?: readonly [name: string, clause: string];
}

/** The fields of an order. */
export const fields: Readonly<Record<string, Field>> = {
  base_quantity: { kind: "amount", clause: "REQ-05", shown: ["baseQuantity", "ORD-44"] },
  price: { kind: "amount", clause: "REQ-09", shown: ["limitPrice", "ORD-45"] },
  stop_price: { kind: "amount", clause: "REQ-12", shown: ["stopPrice", "ORD-46"] },
  quote_value: { kind: "amount", clause: "REQ-07" },
  side: { kind: "word", clause: "REQ-02", needed: "REQ-01" },
  type: { kind: "word", clause: "REQ-04", needed: "REQ-03" },
  client_order_id: { kind: "id", clause: "REQ-15", needed: "REQ-14" },
  product: { kind: "pair", clause: "REQ-17", needed: "REQ-16" },
};

/** Computed from the correct value. That of an id is a name, `${id.a}`, and has no digits to change. */
type Make = (right: string) => Malformed;

const refused =
  (value: (right: string) => Value, clause?: string): Make =>
  (right) => ({ value: value(right), verdict: "refused", ...(clause === undefined ? {} : { clause }) });
const advice =
  (value: (right: string) => Value, clause?: string): Make =>
  (right) => ({ value: value(right), verdict: "advice", ...(clause === undefined ? {} : { clause }) });
const same =
  (value: (right: string) => Value): Make =>
  (right) => ({ value: value(right), verdict: "same" });

const everywhere = (make: Make): Readonly<Record<Kind, Make>> => ({
  amount: make,
  word: make,
  id: make,
  pair: make,
});

const inFront = (right: string): string => ` ${right}`;
const behind = (right: string): string => `${right} `;
const line = (right: string): string => `${right}\n`;
const nul = (right: string): string => `${right}\u0000`;
const many = (right: string): string => right.repeat(300);
const number: Value = { $json: "1" };

/** By the name of the form, for each kind of field that has it. */
export const malformed: Readonly<Record<string, Readonly<Partial<Record<Kind, Make>>>>> = {
  empty: everywhere(refused(() => "")),
  "a blank": everywhere(refused(() => " ")),
  letters: everywhere(refused(() => "abc")),
  "left out": everywhere(() => ({ value: undefined, verdict: "refused" })),
  null: everywhere(refused(() => null, "REQ-19")),
  "a boolean": everywhere(refused(() => true, "REQ-20")),
  "in a list": everywhere(refused((right) => [right], "REQ-20")),
  "in an object": everywhere(refused((right) => ({ value: right }), "REQ-20")),
  "a JSON number": {
    amount: advice((right) => ({ $json: right })),
    word: refused(() => number, "REQ-20"),
    id: refused(() => number, "REQ-20"),
    pair: refused(() => number, "REQ-20"),
  },
  "a NUL behind": everywhere(refused(nul)),
  "a letter behind": {
    amount: refused((right) => `${right}x`),
    word: refused((right) => `${right}S`),
    id: refused((right) => `${right}0`),
    pair: refused((right) => `${right}-X`),
  },
  "a letter in front": {
    amount: refused((right) => `x${right}`),
    word: refused((right) => `X${right}`),
    id: refused((right) => `0${right}`),
    pair: refused((right) => `X${right}`),
  },
  "too long": {
    amount: same((right) => `${right}${right.includes(".") ? "" : "."}${"0".repeat(40)}`),
    word: refused(many),
    id: refused((right) => right.repeat(9)),
    pair: refused(many),
  },
  "in another script": {
    amount: advice((right) => right.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))),
    word: refused((right) => right.replace("U", "\u0423").replace("M", "\u041c").replace("E", "\u0415")),
    id: refused(() => "3b241101-e2bb-4255-8caf-4136c566a96\uff12"),
    pair: refused((right) => right.replace("-", "\u2010")),
  },
  "a blank in front": {
    amount: same(inFront),
    word: advice(inFront),
    id: advice(inFront),
    pair: advice(inFront),
  },
  "a blank behind": { amount: same(behind), word: advice(behind), id: advice(behind), pair: advice(behind) },
  "a line end behind": { amount: same(line), word: advice(line), id: advice(line), pair: advice(line) },
  "other letter case": { word: advice((right) => right.toLowerCase()) },
  "separated otherwise": {
    id: refused(() => "3b241101e2bb42558caf4136c566a962"),
    pair: refused((right) => right.replace("-", "/")),
  },
  "in braces": { id: advice((right) => `{${right}}`) },
  "another version": { id: advice(() => ({ $uuid: { version: 7 } })) },
  "a plus sign": { amount: same((right) => `+${right}`) },
  "an exponent": { amount: same((right) => `${calculate("right / 10 @ 30", () => right)}e1`) },
  "a zero in front": { amount: same((right) => `0${right}`) },
  "a bare point": {
    amount: same((right) => (right.startsWith("0.") ? right.slice(1) : `${right.split(".")[0] ?? ""}.`)),
  },
  "an underscore": { amount: advice((right) => `0_${right}`) },
  zero: { amount: refused(() => "0", "REQ-18") },
  "a minus sign": { amount: refused((right) => `-${right}`, "REQ-18") },
  "two signs": { amount: refused(() => "--1") },
  "two points": { amount: refused(() => "1.2.3") },
  "a comma for the point": { amount: refused(() => "1,5") },
  "commas between thousands": { amount: refused(() => "1,000.00") },
  hexadecimal: { amount: refused(() => "0x10") },
  "not a number": { amount: refused(() => "NaN") },
  infinite: { amount: refused(() => "Infinity") },
};
