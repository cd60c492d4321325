/** Bugs in outcomes and refusals. */
import { refuse } from "../../http/route.ts";
import { changedData, outcomeOf, placing } from "../../variations/changed-call.ts";
import { bug, type Defect } from "../../variations/defect.ts";
import { parseObject } from "../../variations/json.ts";
import { ordersWith } from "../../variations/order-records.ts";

export const outcomes: readonly Defect[] = [
  // The result object of the last order is filled in again.
  bug("A-78", "An order that failed at the exchange shows the order before it", ["RES-05"], () => {
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
  // Every missing record is 404, of any kind.
  bug(
    "A-79",
    "A key without a client is answered 404 instead of CLIENT_NOT_FOUND",
    ["PLC-22", "EPT-04"],
    () => ({
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        return outcomeOf(reply) === "CLIENT_NOT_FOUND"
          ? refuse("NOT_FOUND", "This API key has no client")
          : reply;
      }),
    }),
  ),
  // Two spellings of one word.
  bug("A-80", "An order that was cancelled has the status CANCELED", ["ORD-06"], () =>
    ordersWith((order) => (order["status"] === "CANCELLED" ? { ...order, status: "CANCELED" } : order)),
  ),
  // A template without its text.
  bug("A-81", "An internal failure is explained by a blank", ["RES-07"], () => ({
    route: placing(async (_call, body, place) => {
      const reply = await place(body);
      return outcomeOf(reply) === "INTERNAL_EXECUTION_FAILED"
        ? changedData(reply, (data) => ({ ...data, message: " " }))
        : reply;
    }),
  })),
  // Error bodies are joined from texts, without escaping quotation marks.
  bug(
    "A-82",
    "A quotation mark in a refused value breaks the JSON of the refusal",
    { recommended: ["ERR-10", "GEN-12"] },
    () => ({
      answer: (answer) =>
        answer.status === 400 ? { ...answer, body: answer.body.replaceAll('\\"', '"') } : answer,
    }),
  ),
  // The catalogue of messages has no entry for sizes.
  bug("A-83", "Refusals for size have an empty message", ["ERR-05"], () => ({
    answer: (answer) =>
      answer.body.includes('"code":"ORDER_SIZE_')
        ? { ...answer, body: JSON.stringify({ ...parseObject(answer.body), message: "" }) }
        : answer,
  })),
];
