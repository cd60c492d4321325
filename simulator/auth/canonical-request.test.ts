import { expect, test } from "vitest";
import { bodyHashOf, canonicalRequest, emptyBodyHash, pathOf } from "./canonical-request.ts";
import { signatureOf } from "./verify-signature.ts";

const secret = "local-secret-do-not-use-in-production";
const order =
  '{"side":"BUY","type":"LIMIT","base_quantity":"0.001","price":"25000.00",' +
  '"client_order_id":"3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11","product":"BTC-USD"}';

const canonical = (method: string, path: string, body = ""): string =>
  canonicalRequest({
    timestamp: "1767225600000",
    nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
    method,
    path,
    bodyHash: bodyHashOf(Buffer.from(body)),
  });

test("the canonical request is six lines, joined with line feeds and with nothing after the last", () => {
  expect(canonical("get", "/api/v1/trading/order/open")).toBe(
    [
      "1767225600000",
      "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
      "GET",
      "/api/v1/trading/order/open",
      "application/json",
      emptyBodyHash,
    ].join("\n"),
  );
});

test.each([
  [
    "POST",
    "/api/v1/trading/order",
    order,
    159,
    "548e532fbedfe56bd3fa2ed85e454f983530bd5e8fe6fae7f5f29630603da2bc",
  ],
  [
    "GET",
    "/api/v1/trading/order/open",
    "",
    163,
    "3d8500ab37f515964e7b1fb64aea699d1bee5546a66ec8a6d8dc3dd13303d568",
  ],
  [
    "GET",
    "/api/v1/trading/order/open?product=BTC-USD",
    "",
    179,
    "9cb71bd7248b08d04acab679dbb488c09d6baf570b30daa18c8e797a79d7d550",
  ],
  ["GET", "/api/v1/trading/ws", "", 155, "41825fa0754c013790950e0197d774e142c50b30442b548b7822ff575f72fd52"],
])("the published vector of %s %s comes out", (method, path, body, bytes, signature) => {
  const text = canonical(method, path, body);
  expect(Buffer.byteLength(text)).toBe(bytes);
  expect(signatureOf(secret, text)).toBe(signature);
});

test("the hash of a body is over its bytes, and that of no body is the hash of nothing", () => {
  expect(bodyHashOf(Buffer.from(order))).toBe(
    "1f24b6863f2a5bee38e8cea70d6dc6a2a68368e73109879834b87a2e848ba769",
  );
  expect(bodyHashOf(new Uint8Array())).toBe(emptyBodyHash);
});

test("the path ends where the query begins", () => {
  expect(pathOf("/order/open?a=1?b=2")).toBe("/order/open");
  expect(pathOf("/order/open")).toBe("/order/open");
});
