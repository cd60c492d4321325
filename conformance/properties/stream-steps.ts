import type { Expectation, Subscribe, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";

type Ws = NonNullable<WrittenStep["ws"]>;

/** Stream steps for the properties of events. */
export function connected(id: string, more: Ws = {}): WrittenStep[] {
  return [
    {
      id,
      spec: ["EVT-02"],
      onFail: "block",
      note: "without a connection no message can arrive",
      ws: { connect: {}, ...more },
      expect: { status: 101 },
    },
  ];
}

export function subscribed(id: string, channel: string, products: readonly string[] = []): WrittenStep {
  const which: Subscribe = products.length === 0 ? { channel } : { channel, products: [...products] };
  return { id, spec: ["EVT-06"], ws: { subscribe: which } };
}

/** The next matching message after the last one found. */
export function heard(
  id: string,
  event: ValueMap,
  spec: readonly string[],
  more: Omit<NonNullable<Ws["expect"]>, "match"> = {},
): WrittenStep {
  return { id, spec: [...spec], ws: { expect: { match: { event }, within: "5s", ...more } } };
}

export function silence(id: string, match: Expectation, spec: readonly string[], wait: string): WrittenStep {
  return { id, spec: [...spec], ws: { none: { match, for: wait, from: "connect" } } };
}

export const hangUp: WrittenStep = { ws: { close: {} } };
