/**
 * A product list over bare `node:http`, as the target of test tools, so that only the cost of the tools is measured.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const pair = {
  id: "BTC-USD",
  apiEnabled: true,
  base: "BTC",
  quote: "USD",
  exchangeProductId: "BTC-USD",
  minOrderSize: "0.0001",
  maxOrderSize: "10",
};
const envelope = (data: unknown): string =>
  JSON.stringify({ statusCode: 200, success: true, message: "OK", data });
const products = envelope([{ name: "BTC", availablePairs: [pair] }]);
const nothing = envelope([]);

const server = createServer((request, response) => {
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(request.url?.endsWith("/product") === true ? products : nothing);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
