/** Bugs in outcomes and in how they are wrapped: M-094 to M-108, M-148, M-149, M-164, M-165, M-172. */

import { withStatus } from "./answers.ts";
import { changedData, outcomeOf, placing } from "./changed-call.ts";
import { type Answer, type Asked, type Decorators, type Defect, defect } from "./defect.ts";
import { type Fields, parseObject } from "./json.ts";

const FAILED = ["EXTERNAL_EXECUTION_FAILED", "INTERNAL_EXECUTION_FAILED", "CLIENT_NOT_FOUND"];
const isFailed = (type: unknown): boolean => FAILED.includes(String(type));

/** The whole body of a success, changed. */
const changedSuccess = (change: (body: Fields, asked: Asked) => unknown): Decorators => ({
  answer: (answer, asked) =>
    answer.status >= 300 ? answer : { ...answer, body: JSON.stringify(change(bodyOf(answer), asked)) },
});

const changedError = (change: (body: Fields, answer: Answer) => unknown): Decorators => ({
  answer: (answer) =>
    answer.status < 400 ? answer : { ...answer, body: JSON.stringify(change(bodyOf(answer), answer)) },
});

const bodyOf = ({ body }: Answer): Fields => parseObject(body);

const changedOutcome = (
  applies: (type: string | null) => boolean,
  change: (data: Fields) => unknown,
): Decorators => ({
  route: placing(async (_call, body, place) => {
    const reply = await place(body);
    return applies(outcomeOf(reply)) ? changedData(reply, change) : reply;
  }),
});

const without = (field: string) => (body: Fields) => ({ ...body, [field]: undefined });
const isNew = (type: string | null): boolean => type === "NEW_ORDER";

/** As much of an order as a broken gateway might leave behind. */
const GHOST = { id: "5f0c1f0e-0000-4000-8000-000000000000", status: "FAILED" };

export const RESULT_DEFECTS: readonly Defect[] = [
  defect("M-094", () => changedOutcome(isFailed, (data) => ({ ...data, order: GHOST }))),
  defect("M-095", () => ({
    answer: (answer) =>
      FAILED.some((type) => answer.body.includes(`"type":"${type}"`)) ? withStatus(answer, 502) : answer,
  })),
  defect("M-096", () => changedOutcome(isFailed, without("message"))),
  defect("M-097", () => changedOutcome(isNew, (data) => ({ ...data, type: "OK" }))),
  defect("M-172", () =>
    changedOutcome(isNew, (data) => ({
      ...data,
      order: { ...(data["order"] as Fields), status: "EXPIRED" },
    })),
  ),
  defect("M-098", () => changedOutcome(isNew, without("order"))),
  defect("M-099", () => changedSuccess(without("statusCode"))),
  defect("M-100", () => changedSuccess((body) => ({ ...body, statusCode: String(body["statusCode"]) }))),
  defect("M-101", () => changedSuccess((body) => ({ ...body, statusCode: 201 }))),
  defect("M-102", () => changedSuccess((body) => ({ ...body, success: "true" }))),
  defect("M-103", () => changedOutcomeEnvelope((body) => ({ ...body, success: false }))),
  defect("M-104", () =>
    changedSuccess((body, { route }) => (route === "GET /product" ? body["data"] : body)),
  ),
  defect("M-105", () => changedSuccess((body) => ({ ...body, data: { data: body["data"] } }))),
  defect("M-106", () => changedSuccess((body) => ({ ...body, message: { text: body["message"] } }))),
  defect("M-107", () => ({
    answer: (answer) =>
      answer.status >= 300
        ? answer
        : { ...answer, headers: { ...answer.headers, "content-type": "text/html" } },
  })),
  defect("M-108", () => changedError((body) => ({ ...body, success: true }))),
  defect("M-148", () =>
    changedError((body, { status }) => (status === 400 ? { ...body, message: undefined } : body)),
  ),
  defect("M-149", () =>
    changedError((body) => ({
      ...body,
      stack: `Error: ${String(body["message"])}\n    at Handler.place (/srv/app/src/order.js:42:13)`,
    })),
  ),
  defect("M-164", () => changedSuccess((body) => ({ ...body, data: null }))),
  defect("M-165", () => changedOutcome((type) => type !== null, without("type"))),
];

/** The envelope of a new order, changed. */
function changedOutcomeEnvelope(change: (body: Fields) => unknown): Decorators {
  return changedSuccess((body) =>
    JSON.stringify(body["data"] ?? null).startsWith('{"type":"NEW_ORDER"') ? change(body) : body,
  );
}
