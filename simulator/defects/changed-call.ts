/** A signed request as a broken handler sees it: another body, another way to the venue. */
import { ok, type Result } from "../domain/result.ts";
import { type Call, type Refused, type Reply, type Route, refuse } from "../http/route.ts";
import type { Decorators } from "./defect.ts";
import { type Fields, parseObject } from "./json.ts";

/** The body of an order as it came; nothing about it has been checked. */
export type OrderBody = Fields;

export function orderBody(call: Call): OrderBody | null {
  const body = call.body();
  return body.ok && typeof body.value === "object" && body.value !== null && !Array.isArray(body.value)
    ? // as: parsed JSON that is an object and no list.
      (body.value as OrderBody)
    : null;
}

export function withBody(call: Call, body: OrderBody): Call {
  const replaced: Pick<Call, "body"> = { body: (): Result<unknown, Refused> => ok(body) };
  // as: everything that is not replaced is found on the original, which is the prototype.
  return Object.assign(Object.create(call) as Call, replaced);
}

export type Placement = (
  call: Call,
  body: OrderBody,
  place: (body: OrderBody) => Promise<Reply>,
) => Promise<Reply>;

/** Decorates the placement of orders whose body is an object; everything else goes its way. */
export const placing =
  (around: Placement) =>
  (inner: Route): Route =>
    inner.operationId !== "placeOrder"
      ? inner
      : {
          ...inner,
          handle: async (call) => {
            const body = orderBody(call);
            if (body === null) return inner.handle(call);
            return around(call, body, (changed) => inner.handle(withBody(call, changed)));
          },
        };

/** Places what was asked for in another way; `null` leaves the request as it is. */
export const reading = (
  change: (body: OrderBody, call: Call) => OrderBody | null,
): ((inner: Route) => Route) => placing((call, body, place) => place(change(body, call) ?? body));

/** Decorates another route by its operation. */
export const handling =
  (operationId: string, around: (call: Call, handle: () => Promise<Reply>) => Promise<Reply>) =>
  (inner: Route): Route =>
    inner.operationId === operationId
      ? { ...inner, handle: (call) => around(call, () => inner.handle(call)) }
      : inner;

export const textOf = (body: OrderBody, field: string): string => {
  const value = body[field];
  return typeof value === "string" ? value : "";
};

export const isMarketBuy = (body: OrderBody): boolean => body["type"] === "MARKET" && body["side"] === "BUY";

/** `data` of a success, changed. */
export function changedData(reply: Reply, change: (data: Fields) => unknown): Reply {
  if (!reply.ok) return reply;
  return { ...reply, data: JSON.stringify(change(parseObject(reply.data))) };
}

/** `type` of an OrderResult, or null. */
export const outcomeOf = (reply: Reply): string | null =>
  reply.ok ? (/^\{"type":"([A-Z_]+)"/.exec(reply.data)?.[1] ?? null) : null;

export const isReplay = (reply: Reply): boolean => outcomeOf(reply) === "DUPLICATE_REPLAY";

export const missing = (body: OrderBody, field: string): boolean =>
  body[field] === undefined || body[field] === null;

export const isDecimal = (value: unknown): boolean =>
  typeof value === "string" && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value);

export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Orders of which this is true are refused as invalid. */
export const refusing = (test: (body: OrderBody) => boolean, message: string): Decorators => ({
  route: placing((_call, body, place) =>
    test(body) ? Promise.resolve(refuse("VALIDATION_FAILED", message)) : place(body),
  ),
});
