/**
 * The usual design: the same checks of the signature, one transaction with an fsync per order, and a table of full
 * text rows (`plain-orders.ts`). The comparison for group commit and lean rows.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { fastify } from "fastify";
import { type PlainOrder, PlainOrders, plainRow } from "../lib/plain-orders.ts";
import { portOf, ready } from "../lib/ready.ts";

const [, , file = ":memory:", secret = ""] = process.argv;
const orders = new PlainOrders(file);
const user = randomUUID();

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
app.post("/api/v1/trading/order", (request, reply) => {
  const { headers } = request;
  const body = request.body as Buffer;
  const lines = [
    headers["x-api-timestamp"],
    headers["x-api-nonce"],
    "POST",
    request.raw.url,
    "application/json",
  ];
  const canonical = [...lines, createHash("sha256").update(body).digest("hex")].join("\n");
  const expected = createHmac("sha256", secret).update(canonical).digest();
  if (!timingSafeEqual(expected, Buffer.from(String(headers["x-api-signature"]), "hex")))
    return reply.code(401).send({});
  const row = plainRow(user, JSON.parse(body.toString("utf8")) as PlainOrder);
  orders.add([row]);
  return reply.send({ statusCode: 200, success: true, data: { type: "NEW_ORDER", order: row[0] } });
});
await app.listen({ host: "127.0.0.1", port: 0 });
ready(portOf(app.server));
