/** The exchange log: what clients sent, what was checked, and what they got. */

import { err, ok, type Result } from "../domain/result.ts";
import { checksOf } from "../exchanges/checks.ts";
import type { ExchangeReader, LoggedExchange } from "../exchanges/exchange.ts";
import { type Refused, refuse, success } from "../http/route.ts";
import { isoTime } from "../wire/envelope.ts";
import { integer, oneText, position, statusOrClass } from "../wire/query-fields.ts";
import { count, flag, list, mapOf, nullable, oneOfText, out, record, text, time } from "../wire/schema.ts";
import { type Controls, controlRoute, notFound, type RefusedCall } from "./control-route.ts";
import { diagnosisMembers, exampleDiagnosis } from "./diagnosis.ts";

const entriesMember = nullable(
  record("The journal entries that it caused at once; null when there are none.", {
    first: count("The first of them."),
    last: count("The last of them."),
  }),
);

const faultsMember = list(
  record("A fault.", {
    rule: text("Id of the fault rule; that of a reserved `client_order_id` begins with `reserved-`."),
    kind: text("Kind of the fault."),
    refused: flag("Whether it refused the request, which no check did then."),
  }),
  "Faults that took effect on it.",
);

const streamMember = nullable(
  record("How a WebSocket ended; null for a request, and while the WebSocket is open.", {
    code: count("Close code."),
    reason: text("Close reason."),
    received: count("Messages of the client."),
    sent: count("Numbered messages to it."),
    subscriptions: list(text("Channel, with its product where it has one."), "All that it ever had."),
  }),
);

const summaryMembers = {
  number: count("Its place in the log: what `after` takes."),
  requestId: text("The `x-request-id` of the answer."),
  kind: oneOfText("A request, or a WebSocket.", ["request", "stream"]),
  receivedAt: time("Real time of its arrival."),
  durationMs: out<number>({ type: "number", description: "Until the answer had left." }),
  key: nullable(text("Name of the key; null for one that no world knows.")),
  client: nullable(text("Name of the client.")),
  method: text("Method."),
  target: text("Path and query, as sent."),
  status: count("HTTP status of the answer; 0 when the connection was closed in place of one."),
  code: nullable(text("Code of the refusal; null for a success.")),
  sent: flag("False when the connection ended before the answer had left."),
  refusedBy: nullable(text("The check or the fault rule that refused it.")),
  entries: entriesMember,
  faults: faultsMember,
  stream: streamMember,
};

const bytesMember = record(
  "The first 16 KiB, as text, or in base64 where they are none.",
  {
    length: count("Of the whole body, in bytes."),
    text: text("As text."),
    base64: text("As base64."),
  },
  ["text", "base64"],
);

const headersMember = list(
  record("A header.", { name: text("As sent."), value: text("Without secrets.") }),
  "Headers.",
);

const exampleSummary = {
  number: 2,
  requestId: "req-00000002",
  kind: "request",
  receivedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1.204,
  key: "trader",
  client: "alice",
  method: "POST",
  target: "/api/v1/trading/order",
  status: 401,
  code: "INVALID_SIGNATURE",
  sent: true,
  refusedBy: "the signature fits the request",
  entries: null,
  faults: [],
  stream: null,
};

const readQuery = {
  limit: integer("At most so many.", 1, 1000, 100),
  after: position("Only those behind this number, the oldest first; the newest of all when absent."),
  key: oneText("Only those of the key of this name."),
  status: statusOrClass("Only those answered so: `404`, or `4xx` for a class; `0` for no answer."),
  path: oneText("Only those whose target begins so."),
};

const logIsOff: Refused = refuse(
  "CONFLICT",
  "The exchange log of this sandbox is off: start it without --no-exchanges",
);

const logOf = ({ exchanges }: Controls): Result<ExchangeReader, Refused["error"]> =>
  exchanges === null ? err(logIsOff.error) : ok(exchanges);

const readExchanges = controlRoute({
  method: "GET",
  path: "/exchanges",
  operationId: "listExchanges",
  verbs: [{ words: "exchange list" }],
  worksWithoutVenue: true,
  summary: "The exchange log: requests and WebSockets with their answers, the oldest first.",
  query: readQuery,
  answer: {
    schema: record("A part of the exchange log.", {
      exchanges: list(record("An exchange in short.", summaryMembers)),
      dropped: count("Exchanges that came faster than the log could write them."),
    }),
    example: { exchanges: [exampleSummary], dropped: 0 },
  },
  run: (controls, _params, _body, { limit, after, key, status, path }) => {
    const log = logOf(controls);
    if (!log.ok) return log;
    const found = log.value.list({ world: controls.name, limit, after, key, status, path });
    return success({ exchanges: found.map(summaryOf), dropped: log.value.dropped });
  },
});

const unknownExchange: RefusedCall = {
  code: "NOT_FOUND",
  when: "No exchange of this world has this id, or it is too old.",
  params: { requestId: "req-99999999" },
  message: "There is no exchange req-99999999: GET /__gatewright/exchanges lists the newest",
};

const readExchange = controlRoute({
  method: "GET",
  path: "/exchanges/{requestId}",
  operationId: "readExchange",
  verbs: [{ words: "exchange read" }],
  worksWithoutVenue: true,
  summary: "One exchange: what was sent, what was checked, what it caused and what was answered.",
  answer: {
    schema: record("An exchange.", {
      ...summaryMembers,
      address: text("Address of the client."),
      freedoms: mapOf(text("Id of an option."), "The freedoms whose option was not the default."),
      checks: list(
        record("A check.", { check: text("What is checked."), passed: flag("Whether it passed.") }),
        "In order. Those behind the one that refused the request were not made.",
      ),
      signature: nullable(
        record(
          "The mistake behind a wrong signature; null for other exchanges. The answer waits until it is searched.",
          diagnosisMembers,
        ),
      ),
      request: record("As sent, without secrets.", { headers: headersMember, body: bytesMember }),
      answer: record("As answered.", { headers: headersMember, body: bytesMember }),
    }),
    example: {
      ...exampleSummary,
      address: "127.0.0.1",
      freedoms: {},
      signature: exampleDiagnosis,
      checks: [
        { check: "the timestamp is inside the window", passed: true },
        { check: "the signature fits the request", passed: false },
      ],
      request: { headers: [{ name: "X-API-KEY", value: "trader" }], body: { length: 2, text: "{}" } },
      answer: { headers: [{ name: "x-request-id", value: "req-00000002" }], body: { length: 2, text: "{}" } },
    },
  },
  refusals: [unknownExchange],
  run: async (controls, { requestId = "" }) => {
    const log = logOf(controls);
    if (!log.ok) return log;
    const found = log.value.find(controls.name, requestId);
    if (found === undefined)
      return notFound("exchange", requestId, "GET /__gatewright/exchanges lists the newest");
    const exchange = await log.value.examined(found);
    const { address, freedoms, request, answer, signature } = exchange;
    return success({
      ...summaryOf(exchange),
      address,
      freedoms,
      checks: checksOf(exchange),
      signature,
      request: { headers: request.headers, body: request.body },
      answer: { headers: answer.headers, body: answer.body },
    });
  },
});

function summaryOf(exchange: LoggedExchange) {
  const { number, id, kind, at, durationMs, key, client, request, answer, entries, faults, stream } =
    exchange;
  const last = checksOf(exchange).at(-1);
  return {
    number,
    requestId: id,
    kind,
    receivedAt: isoTime(at),
    durationMs,
    key,
    client,
    method: request.method,
    target: request.target,
    status: answer.status,
    code: answer.code,
    sent: answer.sent,
    refusedBy: last?.passed === false ? last.check : null,
    entries,
    faults,
    stream,
  };
}

export const exchangeControls = [readExchanges, readExchange] as const;
