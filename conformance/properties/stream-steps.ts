import type { Value, ValueMap } from "../model/value.ts";

/** Steps on the stream, as the properties of events use them. */
export function connected(id: string, more: ValueMap = {}): ValueMap[] {
  return [
    {
      id,
      spec: ["EVT-02"],
      onFail: "block",
      note: "nothing can be heard without a connection",
      ws: { connect: {}, ...more },
      expect: { status: 101 },
    },
  ];
}

export function subscribed(id: string, channel: string, products: readonly string[] = []): ValueMap {
  const which = products.length === 0 ? { channel } : { channel, products: [...products] };
  return { id, spec: ["EVT-06"], ws: { subscribe: which } };
}

/** The next message that fits, from behind the last one found. */
export function heard(id: string, event: ValueMap, spec: readonly string[], more: ValueMap = {}): ValueMap {
  return { id, spec: [...spec], ws: { expect: { match: { event }, within: "5s", ...more } } };
}

export function silence(id: string, match: Value, spec: readonly string[], wait: string): ValueMap {
  return { id, spec: [...spec], ws: { none: { match, for: wait, from: "connect" } } };
}

export const hangUp: ValueMap = { ws: { close: {} } };
