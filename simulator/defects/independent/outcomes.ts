/** Bugs in outcomes and refusals. */
import { refuse } from "../../http/route.ts";
import { changedData, outcomeOf, placing } from "../changed-call.ts";
import { type Defect, defect } from "../defect.ts";
import { parseObject } from "../json.ts";
import { ordersWith } from "../order-records.ts";

export const OUTCOMES: readonly Defect[] = [
  // The result object of the last order is filled in again.
  defect("A-78", () => {
    let last: unknown;
    return {
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        if (reply.ok && outcomeOf(reply) === "NEW_ORDER") last = parseObject(reply.data)["order"];
        return outcomeOf(reply) === "EXTERNAL_EXECUTION_FAILED" && last !== undefined
          ? changedData(reply, (data) => ({ ...data, order: last }))
          : reply;
      }),
    };
  }),
  // What is not found is 404, whatever it is.
  defect("A-79", () => ({
    route: placing(async (_call, body, place) => {
      const reply = await place(body);
      return outcomeOf(reply) === "CLIENT_NOT_FOUND"
        ? refuse("NOT_FOUND", "No client stands behind this API key")
        : reply;
    }),
  })),
  // Two spellings of one word.
  defect("A-80", () =>
    ordersWith((order) => (order["status"] === "CANCELLED" ? { ...order, status: "CANCELED" } : order)),
  ),
  // A template without its text.
  defect("A-81", () => ({
    route: placing(async (_call, body, place) => {
      const reply = await place(body);
      return outcomeOf(reply) === "INTERNAL_EXECUTION_FAILED"
        ? changedData(reply, (data) => ({ ...data, message: " " }))
        : reply;
    }),
  })),
  // Error bodies are put together from texts, and nobody escapes a quotation mark.
  defect("A-82", () => ({
    answer: (answer) =>
      answer.status === 400 ? { ...answer, body: answer.body.replaceAll('\\"', '"') } : answer,
  })),
  // The catalogue of messages has no entry for sizes.
  defect("A-83", () => ({
    answer: (answer) =>
      answer.body.includes('"code":"ORDER_SIZE_')
        ? { ...answer, body: JSON.stringify({ ...parseObject(answer.body), message: "" }) }
        : answer,
  })),
];
