import fc from "fast-check";
import { signatureHeaders } from "../signing/sign-request.ts";
import type { Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-09: how the headers are spelled does not matter: letter case of their names, and others that stand beside them.
 * Clauses: AUTH-37.
 * Generator: a mask of capitals for each of the four names, zero to three harmless `X-Extra-…` headers.
 * Oracle: the request is answered.
 * Shrinks to lower-case names and no extra header. Safety: reads only.
 */
export const headerSpelling: Property = {
  id: "P-09",
  title: "Header names are read in any letter case, beside any other header",
  spec: ["AUTH-37"],
  safety: "read",
  runs: { local: 60, staging: 10 },
  cost: { requests: 1, orders: 0 },
  plans: () =>
    fc.record({ masks: fc.tuple(mask, mask, mask, mask), extras }).map(({ masks, extras: extra }) => ({
      steps: [
        call(
          "spelled",
          "openOrders",
          {
            ...(extra.length === 0
              ? {}
              : { headers: Object.fromEntries(extra.map((text, at) => [`X-Extra-${at}`, text])) }),
            sign: { headers: { rename: renamed(masks) } },
          },
          { expect: { status: 200 } },
        ),
      ],
    })),
};

const mask = fc.integer({ min: 0, max: 2 ** 16 - 1 });
const extras = fc.array(fc.stringMatching(/^[a-z0-9]{1,12}$/), { maxLength: 3 });

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
