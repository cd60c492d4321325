/**
 * What most would write: the same checks of the signature, one transaction with an fsync per order, and a table of full
 * text rows with a UUID key and two indexes. The comparison for group commit and lean rows (goals 2 and 13).
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import Database from "better-sqlite3";
import { fastify } from "fastify";
import { portOf, ready } from "../lib/ready.ts";

const [, , file = ":memory:", secret = ""] = process.argv;
const db = new Database(file);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec(`CREATE TABLE orders (
  id TEXT PRIMARY KEY, created_at TEXT, updated_at TEXT, external_id TEXT, user_id TEXT, product_id TEXT, side TEXT,
  client_order_id TEXT UNIQUE, type TEXT, status TEXT, base_quantity TEXT, limit_price TEXT, filled_quantity TEXT, fees TEXT);
  CREATE INDEX by_user ON orders (user_id, created_at);
  CREATE INDEX by_status ON orders (status, product_id);`);
const insert = db.prepare(`INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

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
  const order = JSON.parse(body.toString("utf8")) as Record<string, string>;
  const now = new Date().toISOString();
  const row = [
    randomUUID(),
    now,
    now,
    randomUUID(),
    randomUUID(),
    order["product"],
    order["side"],
    order["client_order_id"],
  ];
  insert.run(...row, order["type"], "OPEN", order["base_quantity"], order["price"], "0", "0");
  return reply.send({ statusCode: 200, success: true, data: { type: "NEW_ORDER", order: row[0] } });
});
await app.listen({ host: "127.0.0.1", port: 0 });
ready(portOf(app.server));
