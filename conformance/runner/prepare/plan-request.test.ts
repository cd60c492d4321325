import { expect, it } from "vitest";
import type { Operation } from "../../model/profile.ts";
import { bareSession, planned } from "../../testing/bare-session.ts";

it.each([
  ["/orders", "/orders?state=OPEN"],
  ["/orders?scope=all", "/orders?scope=all&state=OPEN"],
  ["/orders?pair={product}", "/orders?pair=BTC-USD&state=OPEN"],
])("has one query, whatever the mapped path has of its own: %s", (path, target) => {
  const session = bareSession(1, "local");
  const base = session.profile.operations["openOrders"] as Operation;
  const listOrders: Operation = { ...base, path, query: { status: "state" } };
  Object.assign(session.profile.operations, { listOrders });
  const own = path.includes("{product}") ? { product: "BTC-USD" } : {};
  const request = planned(session, { op: "listOrders", params: { ...own, status: "OPEN" } });
  expect(request.target).toBe(`/api/v1/trading${target}`);
});
