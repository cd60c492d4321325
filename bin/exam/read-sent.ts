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
  { receivedAt, durationMs, method, target, status, code, request, answer }: Exchange,
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
    nonce: headerOf(request.headers, "x-api-nonce"),
    retryAfterS: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    headers: request.headers.map(({ name, value }) => `${name}: ${value}`),
    text,
    body: isObject(body) ? body : undefined,
    answeredStatus: statusIn(jsonIn(answer.body.text ?? "")),
  };
}

const headerOf = (headers: Exchange["request"]["headers"], wanted: string): string =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? "";

/** Of the order itself, or of the order in the result of a placement. */
function statusIn(answer: unknown): string | undefined {
  const data = isObject(answer) ? answer["data"] : undefined;
  const order = isObject(data) ? (data["order"] ?? data) : undefined;
  const status = isObject(order) ? order["status"] : undefined;
  return typeof status === "string" ? status : undefined;
}
