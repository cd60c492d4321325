/** The exchange log of a situation's world, as the rules read it. A restart begins the ids of exchanges anew. */
import type { SimulatorWorld } from "../../simulator/index.ts";
import type { Sent } from "./evidence.ts";
import { copyHeader } from "./relay.ts";
import { isObject, jsonIn } from "./said.ts";

/** A client that floods is judged by its first requests. */
const mostRead = 1000;

type Control = Pick<SimulatorWorld["control"], "exchange">;
type Exchange = Awaited<ReturnType<Control["exchange"]["read"]>>;

interface Wanted {
  readonly key: string;
  readonly prefix: string;
  readonly after: number;
}

interface Reading {
  readonly sent: readonly Sent[];
  /** Number of the last exchange that was looked at. */
  readonly last: number;
}

/** Requests of the key, and of keys that nobody knows, behind a number of the log; in the order in which they came. */
export async function readSent({ exchange }: Control, { key, prefix, after }: Wanted): Promise<Reading> {
  const { exchanges } = await exchange.list({ after, limit: mostRead });
  const own = exchanges.filter(
    // A stream is in the log twice: when it was opened, and when it had ended.
    (one) => (one.key === key || one.key === null) && !(one.kind === "stream" && one.stream !== null),
  );
  const sent: Sent[] = [];
  for (const { requestId } of own) {
    const whole = await exchange.read({ requestId });
    if (!whole.request.headers.some(({ name }) => name.toLowerCase() === copyHeader))
      sent.push(sentOf(whole, prefix));
  }
  return {
    sent: sent.toSorted((one, other) => one.cameAt - other.cameAt),
    last: exchanges.at(-1)?.number ?? after,
  };
}

function sentOf(
  { receivedAt, durationMs, method, target, status, code, faults, request, answer }: Exchange,
  prefix: string,
): Sent {
  const cameAt = Date.parse(receivedAt);
  const text = request.body.text ?? "";
  const body = jsonIn(text);
  const retryAfter = headerOf(answer.headers, "retry-after");
  return {
    method,
    path: (target.startsWith(prefix) ? target.slice(prefix.length) : target).split("?")[0] ?? "",
    target,
    cameAt,
    answeredAt: cameAt + durationMs,
    status,
    code,
    faults: faults.map(({ rule }) => rule),
    nonce: headerOf(request.headers, "x-api-nonce"),
    retryAfterS: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    headers: pairs(request.headers),
    text,
    body: isObject(body) ? body : undefined,
    answer: { headers: pairs(answer.headers), text: answer.body.text ?? "", bytes: answer.body.length },
    answeredStatuses: statusesIn(jsonIn(answer.body.text ?? "")),
  };
}

type Headers = Exchange["request"]["headers"];

const pairs = (headers: Headers) => headers.map(({ name, value }) => [name, value] as const);

const headerOf = (headers: Headers, wanted: string): string =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? "";

/** Of the order itself, of the order in the result of a placement, or of the orders of a page. */
function statusesIn(answer: unknown): string[] {
  const data = isObject(answer) ? answer["data"] : undefined;
  if (!isObject(data)) return [];
  const orders = Array.isArray(data["items"]) ? data["items"].filter(isObject) : [data["order"] ?? data];
  return orders.filter(isObject).flatMap(({ status }) => (typeof status === "string" ? [status] : []));
}
