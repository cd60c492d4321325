/** A signed request as a broken handler sees it: another body, another way to the venue. */
import { ok } from "../domain/result.ts";
import { type Reply, refuse } from "../http/route.ts";
import type { BrokenCall, BrokenServe, Decorators } from "./defect.ts";
import { type Fields, parseObject } from "./json.ts";

/** The body of an order as received, before any check. */
export type OrderBody = Fields;

export function orderBody({ body }: BrokenCall): OrderBody | null {
  return body.ok && typeof body.value === "object" && body.value !== null && !Array.isArray(body.value)
    ? // as: parsed JSON that is an object and no list.
      (body.value as OrderBody)
    : null;
}

export type Placement = (
  call: BrokenCall,
  body: OrderBody,
  place: (body: OrderBody) => Promise<Reply>,
) => Promise<Reply>;

/** Decorates the placement of orders whose body is an object; everything else goes its way. */
export const placing =
  (around: Placement) =>
  (inner: BrokenServe): BrokenServe =>
  async (route, call) => {
    const body = route.operationId === "placeOrder" ? orderBody(call) : null;
    if (body === null) return inner(route, call);
    return around(call, body, (changed) => inner(route, { ...call, body: ok(changed) }));
  };

/** Places what was asked for in another way; `null` leaves the request as it is. */
export const reading = (
  change: (body: OrderBody, call: BrokenCall) => OrderBody | null,
): ((inner: BrokenServe) => BrokenServe) => placing((call, body, place) => place(change(body, call) ?? body));

/** Decorates any route by its operation. */
export const handling =
  (
    operationId: string,
    around: (call: BrokenCall, handle: (call?: BrokenCall) => Promise<Reply>) => Promise<Reply>,
  ) =>
  (inner: BrokenServe): BrokenServe =>
  (route, call) =>
    route.operationId === operationId
      ? around(call, (changed = call) => inner(route, changed))
      : inner(route, call);

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
