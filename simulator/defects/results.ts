/** Bugs in outcomes and in how they are wrapped. */

import { withStatus } from "../variations/answers.ts";
import { changedData, outcomeOf, placing } from "../variations/changed-call.ts";
import { type Answer, type Asked, bug, type Decorators, type Defect } from "../variations/defect.ts";
import { type Fields, parseObject } from "../variations/json.ts";

const failed = ["EXTERNAL_EXECUTION_FAILED", "INTERNAL_EXECUTION_FAILED", "CLIENT_NOT_FOUND"];
const isFailed = (type: unknown): boolean => failed.includes(String(type));

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
const ghost = { id: "5f0c1f0e-0000-4000-8000-000000000000", status: "FAILED" };

export const resultDefects: readonly Defect[] = [
  bug("M-094", "A failed outcome carries an order", ["RES-05"], () =>
    changedOutcome(isFailed, (data) => ({ ...data, order: ghost })),
  ),
  bug("M-095", "A failed outcome is answered with 502", ["PLC-22"], () => ({
    answer: (answer) =>
      failed.some((type) => answer.body.includes(`"type":"${type}"`)) ? withStatus(answer, 502) : answer,
  })),
  bug("M-096", "A failed outcome has no message", ["RES-07"], () =>
    changedOutcome(isFailed, without("message")),
  ),
  bug("M-097", "A new order is answered with an outcome that does not exist", ["RES-02"], () =>
    changedOutcome(isNew, (data) => ({ ...data, type: "OK" })),
  ),
  bug("M-172", "A new order has expired already", ["STA-02"], () =>
    changedOutcome(isNew, (data) => ({
      ...data,
      order: { ...(data["order"] as Fields), status: "EXPIRED" },
    })),
  ),
  bug("M-098", "A new order is answered without the order", ["RES-03"], () =>
    changedOutcome(isNew, without("order")),
  ),
  bug("M-099", "The envelope has no statusCode", ["ENV-01"], () => changedSuccess(without("statusCode"))),
  bug("M-100", "statusCode is a string", ["ENV-02"], () =>
    changedSuccess((body) => ({ ...body, statusCode: String(body["statusCode"]) })),
  ),
  bug("M-101", "statusCode is not the status of the answer", ["ENV-03"], () =>
    changedSuccess((body) => ({ ...body, statusCode: 201 })),
  ),
  bug("M-102", "success is a string", ["ENV-04"], () =>
    changedSuccess((body) => ({ ...body, success: "true" })),
  ),
  bug("M-103", "success is false for a new order", ["ENV-05"], () =>
    changedOutcomeEnvelope((body) => ({ ...body, success: false })),
  ),
  bug("M-104", "The product list is outside of the envelope", ["GEN-07", "ENV-08", "PRD-01"], () =>
    changedSuccess((body, { route }) => (route === "GET /product" ? body["data"] : body)),
  ),
  bug("M-105", "The payload is wrapped twice", ["ENV-08", "PRD-01", "RES-01"], () =>
    changedSuccess((body) => ({ ...body, data: { data: body["data"] } })),
  ),
  bug("M-106", "message is an object", ["ENV-06"], () =>
    changedSuccess((body) => ({ ...body, message: { text: body["message"] } })),
  ),
  bug("M-107", "A success is declared as HTML", ["GEN-12"], () => ({
    answer: (answer) =>
      answer.status >= 300
        ? answer
        : { ...answer, headers: { ...answer.headers, "content-type": "text/html" } },
  })),
  bug("M-108", "An error says success true", ["ENV-09"], () =>
    changedError((body) => ({ ...body, success: true })),
  ),
  bug("M-148", "A refusal has no message", ["ERR-05"], () =>
    changedError((body, { status }) => (status === 400 ? { ...body, message: undefined } : body)),
  ),
  bug("M-149", "An error shows a stack trace", ["ERR-11"], () =>
    changedError((body) => ({
      ...body,
      stack: `Error: ${String(body["message"])}\n    at Handler.place (/srv/app/src/order.js:42:13)`,
    })),
  ),
  bug("M-164", "data is null", ["ENV-07", "RES-01", "ENV-08"], () =>
    changedSuccess((body) => ({ ...body, data: null })),
  ),
  bug("M-165", "An outcome has no type", ["RES-01"], () =>
    changedOutcome((type) => type !== null, without("type")),
  ),
];

/** The envelope of a new order, changed. */
function changedOutcomeEnvelope(change: (body: Fields) => unknown): Decorators {
  return changedSuccess((body) =>
    JSON.stringify(body["data"] ?? null).startsWith('{"type":"NEW_ORDER"') ? change(body) : body,
  );
}
