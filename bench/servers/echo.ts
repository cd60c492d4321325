/** The baseline: a bare Fastify that parses a JSON body and echoes a small answer. */
import { fastify } from "fastify";
import { portOf, ready } from "../lib/ready.ts";

const app = fastify();
app.post("/api/v1/trading/order", (request, reply) =>
  reply.send({ statusCode: 200, success: true, data: request.body }),
);
await app.listen({ host: "127.0.0.1", port: 0 });
ready(portOf(app.server));
