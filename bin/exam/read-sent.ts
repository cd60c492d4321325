/** The exchange log of a situation's world, as the rules read it. */
import type { SimulatorWorld } from "../../simulator/index.ts";
import type { Sent } from "./evidence.ts";
import { copyHeader } from "./relay.ts";
import { isObject, jsonIn } from "./said.ts";

/** A client that floods is judged by its first requests. */
const mostRead = 1000;

type Control = Pick<SimulatorWorld["control"], "exchange">;
type Exchange = Awaited<ReturnType<Control["exchange"]["read"]>>;

/** Requests of the key, and of keys that nobody knows, in the order in which they came. */
export async function readSent({ exchange }: Control, key: string, prefix: string): Promise<readonly Sent[]> {
  const { exchanges } = await exchange.list({ after: 0, limit: mostRead });
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
  return sent.toSorted((one, other) => one.cameAt - other.cameAt);
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
