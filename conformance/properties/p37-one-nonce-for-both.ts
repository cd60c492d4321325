import fc from "fast-check";
import type { ValueMap } from "../model/value.ts";
import type { Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-37: what P-06 says of requests holds of handshakes among them, too.
 * Clauses: EVT-04 (a handshake's nonce for another handshake), EVT-05 (across both).
 * Generator: two to six reads and handshakes, each with a nonce of its own or that of an earlier one.
 * Oracle: a first use is answered or opens the stream, a reuse does not.
 * Shrinks to two: a nonce and its reuse. Safety: reads only.
 */
export const oneNonceForBoth: Property = {
  id: "P-37",
  title: "A nonce is good once for requests and handshakes together",
  spec: ["EVT-04", "EVT-05"],
  safety: "read",
  requires: { capabilities: ["ws"] },
  runs: { local: 8, staging: 4 },
  cost: { requests: 6, orders: 0 },
  plans: () =>
    fc
      .array(use, { minLength: 2, maxLength: 6 })
      .filter((uses) => uses.some((one, index) => one.handshake || reuseOf(uses, index)?.handshake === true))
      .map((uses) => ({ steps: uses.map((_, index) => stepOf(uses, index)) })),
};

interface Use {
  readonly handshake: boolean;
  /** How many uses back the nonce is from; 0, or beyond the first, is a nonce of its own. */
  readonly back: number;
}

const use: fc.Arbitrary<Use> = fc.record({
  handshake: fc.boolean(),
  back: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 })),
});

function reuseOf(uses: readonly Use[], index: number): Use | undefined {
  const back = uses[index]?.back ?? 0;
  return back === 0 ? undefined : uses[index - back];
}

function stepOf(uses: readonly Use[], index: number): ValueMap {
  const { handshake, back } = uses[index] ?? { handshake: false, back: 0 };
  const earlier = reuseOf(uses, index);
  const id = `use${index + 1}`;
  const sign = { sign: { override: { nonce: `\${use${index + 1 - back}.request.nonce}` } } };
  if (handshake) {
    const connect = earlier === undefined ? {} : { ...sign, settle: "5s" };
    const expect = earlier === undefined ? { status: 101 } : { $macro: "turnedAway" };
    const spec = [earlier === undefined ? "EVT-02" : earlier.handshake ? "EVT-04" : "EVT-05"];
    return { id, spec, ws: { connect }, expect };
  }
  if (earlier === undefined)
    return call(id, "openOrders", {}, { spec: ["AUTH-26"], expect: { status: "2xx" } });
  const spec = [earlier.handshake ? "EVT-05" : "AUTH-26"];
  return call(id, "openOrders", sign, { spec, expect: { $macro: "refused" } });
}
