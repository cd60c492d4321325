import { expect, test } from "vitest";
import { claimTable, defaultClaims, mayCall } from "./claims.ts";

test("placing an order asks for write:orders and for nothing else", () => {
  const accepted = defaultClaims.get("POST /order") ?? [];
  expect(mayCall(["write:orders"], accepted)).toBe(true);
  expect(mayCall(["read:orders", "read:account", "read:market-data"], accepted)).toBe(false);
  expect(mayCall([], accepted)).toBe(false);
});

test("writing orders does not include reading them", () => {
  expect(mayCall(["write:orders"], defaultClaims.get("GET /order/open") ?? [])).toBe(false);
});

test("the assets are open to either of two claims", () => {
  const accepted = defaultClaims.get("GET /asset") ?? [];
  expect(mayCall(["read:account"], accepted)).toBe(true);
  expect(mayCall(["read:market-data"], accepted)).toBe(true);
  expect(mayCall(["read:orders", "write:orders"], accepted)).toBe(false);
});

test("a configuration may ask for other claims", () => {
  const table = claimTable({
    "GET /order/open": "read:account",
    "GET /product": ["read:orders", "read:market-data"],
  });
  expect(table.ok && table.value.get("GET /order/open")).toEqual(["read:account"]);
  expect(table.ok && table.value.get("GET /product")).toEqual(["read:orders", "read:market-data"]);
  expect(table.ok && table.value.get("POST /order")).toEqual(["write:orders"]);
  expect(defaultClaims.get("GET /order/open")).toEqual(["read:orders"]);
});

test.each([
  [{ "GET /orders": "read:orders" }, 'no route "GET /orders"'],
  [{ "GET /order": "read:order" }, 'asks for "read:order"'],
  [{ "GET /order": [] }, "at least one claim"],
  [{ "GET /health/live": "read:account" }, "unsigned"],
])("a configuration with a mistake is refused: %j", (overrides, sentence) => {
  const table = claimTable(overrides);
  expect(table).toMatchObject({ ok: false, error: expect.stringContaining(sentence) });
});
