import fc from "fast-check";
import { signatureHeaders } from "../signing/sign-request.ts";
import type { Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-09: the spelling of the headers does not matter: the letter case of their names, their order, and additional
 * headers.
 * Clauses: AUTH-37.
 * Generator: a mask of capitals for each of the four names, zero to three harmless `X-Extra-…` headers, a
 * permutation of all of them and of the content type.
 * Oracle: the request is answered.
 * Shrinks to lower-case names in the order of the specification and no extra header. Safety: reads only.
 */
export const headerSpelling: Property = {
  id: "P-09",
  title: "Headers are read in any letter case and order, together with other headers",
  spec: ["AUTH-37"],
  safety: "read",
  runs: { local: 12, staging: 10 },
  cost: { requests: 1, orders: 0 },
  plans: () =>
    fc
      .record({ masks: fc.tuple(mask, mask, mask, mask), extras, places })
      .map(({ masks, extras: extra, places: at }) => ({
        steps: [
          call(
            "spelled",
            "openOrders",
            {
              ...(extra.length === 0
                ? {}
                : { headers: Object.fromEntries(extra.map((text, at) => [`X-Extra-${at}`, text])) }),
              sign: { headers: { rename: renamed(masks), ...ordered(extra.length, at) } },
            },
            { expect: { status: 200 } },
          ),
        ],
      })),
};

const mask = fc.integer({ min: 0, max: 2 ** 16 - 1 });
const extras = fc.array(fc.stringMatching(/^[a-z0-9]{1,12}$/), { maxLength: 3 });
/** The name that comes next among the remaining ones; zeros keep the order. */
const places = fc.array(fc.nat({ max: 7 }), { minLength: 8, maxLength: 8 });

function ordered(extraHeaders: number, choices: readonly number[]): { order?: string[] } {
  const extra = Array.from({ length: extraHeaders }, (_, at) => `X-Extra-${at}`);
  const names = [...Object.values(signatureHeaders), "Content-Type", ...extra];
  const left = [...names];
  const order = names.flatMap((_, at) => left.splice((choices[at] ?? 0) % left.length, 1));
  return order.every((name, at) => name === names[at]) ? {} : { order };
}

function renamed(masks: readonly number[]): Record<string, string> {
  const names = Object.values(signatureHeaders);
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      [...name.toLowerCase()]
        .map((letter, at) => ((((masks[index] ?? 0) >> at) & 1) === 1 ? letter.toUpperCase() : letter))
        .join(""),
    ]),
  );
}
