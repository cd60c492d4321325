import type { Exchange } from "../exchange.ts";

/** An exchange of a request without a body, as the log has it. */
export const exchange = (id: string, more: Partial<Exchange> = {}): Exchange => ({
  id,
  kind: "request",
  world: "main",
  at: 0,
  durationMs: 1,
  address: "127.0.0.1",
  freedoms: {},
  key: "trader",
  client: "alice",
  request: { method: "GET", target: `/order/${id}`, headers: [], body: { length: 0 } },
  answer: { status: 200, code: null, headers: [], body: { length: 0 }, sent: true },
  entries: null,
  place: null,
  faults: [],
  screened: true,
  signature: null,
  stream: null,
  ...more,
});
