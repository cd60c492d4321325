/** The two probes: unsigned, so they are not among the trading routes. */
import { ref } from "../../wire/schema.ts";
import { probeRefusals, probeStyle } from "./gateway.ts";
import { enveloped, type Node, refusalResponses } from "./responses.ts";

const up = { status: "up" };
const down = { status: "down" };
const clock = { version: "1.0", serverTime: "2026-01-01T00:00:00.000Z" };

const answer = (status: 200 | 503, description: string, data: object, message = "OK"): Node =>
  enveloped(
    {
      status,
      description,
      data: ref("Health"),
      examples: { Health: { message, data: { ...data, ...clock } } },
      signed: false,
    },
    status === 200,
  );

const probe = (operationId: string, summary: string, description: string, responses: Node): Node => ({
  get: {
    operationId,
    tags: ["Health"],
    summary,
    description,
    security: [],
    responses: { ...responses, ...refusalResponses(probeStyle, probeRefusals) },
  },
});

export const healthPaths: Readonly<Record<string, Node>> = {
  "/health/live": probe(
    "readLiveness",
    "Is the process running?",
    "`serverTime` lets a client measure its clock.",
    {
      200: answer(200, "The process answers", {
        status: "ok",
        info: { server: up },
        error: {},
        details: { server: up },
      }),
    },
  ),
  "/health/ready": probe(
    "readReadiness",
    "Can the venue take requests?",
    "503 with the same envelope when it cannot.",
    {
      200: answer(200, "The venue takes requests", {
        status: "ok",
        info: { database: up, engine: up },
        error: {},
        details: { database: up, engine: up },
      }),
      503: answer(
        503,
        "The venue does not take requests",
        {
          status: "error",
          info: { engine: up },
          error: { database: down },
          details: { database: down, engine: up },
        },
        "The venue is not ready",
      ),
    },
  ),
};
