import { failedOutcomes } from "../contract/fields.ts";
import { isOpen } from "../model/expr.ts";
import type { PlainExpectation } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";

/**
 * Macros that are used directly under `expect`, `should`, `until` and `match`. Each expands to expectation blocks, all
 * of which must hold.
 */
type Expansion = (argument: string) => readonly PlainExpectation[];

const definitions: Readonly<Record<string, Expansion>> = {
  unauthorized: () => [{ status: 401 }],
  refused: () => [{ status: "4xx" }, { status: { $not: 404 } }],
  invalid: () => [{ status: 400 }],
  // A refusal in either of the two forms of the document: 400, or 200 with a failed outcome and no order.
  rejected: () => [{ $anyOf: [{ status: 400 }, { status: 200, body: { data: withoutOrder } }] }],
  placed: () => [
    { status: { $cite: "EPT-04", is: 200 }, envelope: "ok" },
    {
      body: {
        data: {
          $cite: "PLC-21",
          is: {
            type: { $cite: "PLC-21", is: "NEW_ORDER" },
            order: { $cite: "RES-03", is: { $allOf: [{ $type: "object" }, { $macro: "orderShape" }] } },
          },
        },
      },
    },
  ],
  // Any other answer, such as an error or another outcome, is no DUPLICATE_REPLAY.
  replayed: (variable) => [
    { status: { $cite: "EPT-04", is: 200 }, envelope: "ok" },
    {
      body: {
        data: {
          $cite: "PLC-11",
          is: {
            type: { $cite: "PLC-11", is: "DUPLICATE_REPLAY" },
            message: { $cite: "PLC-13", is: { $re: "\\S" } },
            order: {
              $cite: "RES-04",
              is: {
                $allOf: [
                  { $type: "object" },
                  { id: { $cite: "PLC-12", is: { $eqVar: variable } } },
                  { $macro: "orderShape" },
                ],
              },
            },
          },
        },
      },
    },
  ],
  // The opening of a stream: refused, or disconnected, or opened and closed again before the first message.
  turnedAway: () => [
    {
      $anyOf: [
        { transport: "closed" },
        { transport: "reset" },
        { status: "4xx" },
        { status: 101, event: { is: "closed", messages: { $json: "0" } } },
      ],
    },
  ],
  failedOutcome: () => [
    { status: { $cite: "PLC-22", is: 200 }, envelope: "any", body: { data: { $macro: "failedOutcome" } } },
  ],
};

const withoutOrder: ValueMap = {
  type: { $in: [...failedOutcomes] },
  order: { $anyOf: ["$absent", { $eq: null }] },
};

/** Clauses that a macro checks in every case that uses it. */
export const macroClauses: readonly string[] = [
  ...new Set(Object.values(definitions).flatMap((expand) => citedIn(expand("")))),
];

function citedIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === "$cite" ? [String(inner)] : citedIn(inner),
  );
}

export const exchangeMacroNames: readonly string[] = Object.keys(definitions);

export function expandExchangeMacro(text: string): readonly PlainExpectation[] {
  const [, name = "", argument = ""] = /^(\w+)(?:\(([\w.]*)\))?$/.exec(text) ?? [];
  const expand = definitions[name];
  if (expand === undefined) throw new Error(`unknown macro ${text}`);
  return expand(argument);
}

export function exchangeMacroProblem(text: string): string | undefined {
  if (isOpen(text)) return undefined;
  const [, name, argument] = /^(\w+)(?:\(([\w.]*)\))?$/.exec(text) ?? [];
  if (name === undefined || !Object.hasOwn(definitions, name)) {
    return `has no "${text}" here: use ${exchangeMacroNames.join(", ")}`;
  }
  if (name === "replayed" && (argument ?? "") === "")
    return "replayed needs the captured order id: replayed(orderId)";
  return name !== "replayed" && argument !== undefined ? `${name} takes no argument` : undefined;
}
