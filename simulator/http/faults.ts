/** Failures that a rule promised for a request: drawn once it is read, then met before or after its commit. */
import type { Command } from "../domain/command.ts";
import type { FaultRule, FiredFault, WireFault } from "../domain/fault.ts";
import type { Outcome } from "../engine/decision.ts";
import type { VenueState } from "../engine/state.ts";
import { type DrawnFaults, type FaultDrawer, noFaults } from "../sequencer/fault-drawer.ts";
import type { Refusal } from "./errors.ts";
import { limited } from "./limits.ts";
import { type Call, type Refused, type Reply, type Route, refused } from "./route.ts";

export interface FaultRules {
  readonly drawer: FaultDrawer;
  /** Rules besides those of the venue's state, by the reserved beginnings of `client_order_id`: all of one length. */
  readonly reserved: ReadonlyMap<string, FaultRule>;
}

/** `00000e01-` */
const reservedLength = 9;

export function drawFaults(
  { drawer, reserved }: FaultRules,
  { faults }: VenueState,
  route: Route,
  { caller }: Call,
  command: Command | null,
): DrawnFaults {
  const order = command?.kind === "PlaceOrder" ? command : null;
  // A rule may name the product and the id of an order, which a request that cannot be read does not have.
  if (route.drawsByOrder === true && order === null) return noFaults;
  const asked =
    order === null ? undefined : reserved.get(order.clientOrderId.slice(0, reservedLength).toLowerCase());
  return drawer.draw(asked === undefined ? faults : [...faults, asked], {
    route: `${route.method} ${route.path}`,
    key: caller.name,
    product: order?.product ?? null,
    clientOrderId: order?.clientOrderId ?? null,
    type: order?.type ?? null,
  });
}

/** The drawn faults that take effect. An order that is refused without one, or was placed before, meets none. */
export function firedOf(
  { order, wire }: DrawnFaults,
  reply: Reply,
  outcome: Outcome,
  failed: boolean,
): FiredFault[] {
  const fired: FiredFault[] = [];
  const rejected = outcome.kind === "rejected";
  // Nothing else rejects so before it: see decidePlaceOrder() of engine/place-order.ts.
  const asAsked =
    rejected && order?.fault.kind === "rejectByExchange" && outcome.rejection.code === "EXCHANGE_REJECTED";
  const met = asAsked || outcome.kind === "accepted" || outcome.kind === "failed";
  if (order !== null && order.unfit === undefined && !failed && met)
    fired.push({ rule: order.rule, kind: order.fault.kind, refused: rejected });
  if (wire !== null && (!losesAnswer.has(wire.fault.kind) || isFirst(reply)))
    fired.push({ rule: wire.rule, kind: wire.fault.kind, refused: failed });
  return fired;
}

/** The delay before anything is executed; or the reply in place of executing it. Null: it is to be executed. */
export async function failBefore(fault: WireFault): Promise<Refused | null> {
  switch (fault.kind) {
    case "delay":
      await pause(fault.ms);
      return null;
    case "dropConnectionBefore":
      return dropped("close");
    case "resetConnectionBefore":
      return dropped("reset");
    case "status":
      return refused({ ...promised(fault), ...(fault.body === "none" ? { withoutBody: true } : {}) });
    default:
      return null;
  }
}

const losesAnswer: ReadonlySet<WireFault["kind"]> = new Set([
  "dropConnectionAfter",
  "resetConnectionAfter",
  "cutBody",
]);

/** Only the first answer is lost: a client that retries correctly must get its replay. */
const isFirst = (reply: Reply): boolean => !(reply.ok && reply.repeated === true);

/** A command is executed, and others may see it, before the client gets its answer. */
export async function failAfter(fault: WireFault, reply: Reply): Promise<Reply> {
  if (fault.kind === "delayResponse") await pause(fault.ms);
  if (!losesAnswer.has(fault.kind) || !isFirst(reply)) return reply;
  if (fault.kind === "cutBody")
    return reply.ok ? { ...reply, cut: true } : refused({ ...reply.error, cut: true });
  return dropped(fault.kind === "resetConnectionAfter" ? "reset" : "close");
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

const dropped = (drop: NonNullable<Refusal["drop"]>): Refused =>
  refused({
    code: "INTERNAL_ERROR",
    message: "A fault rule of this sandbox closed the connection.",
    drop,
  });

function promised({ status, code }: Extract<WireFault, { readonly kind: "status" }>): Refusal {
  const message =
    code === "OUTCOME_UNKNOWN"
      ? "A fault rule of this sandbox asked for this answer: repeat the request with the same client_order_id"
      : "A fault rule of this sandbox asked for this answer. Nothing was executed";
  if (status === 429) return limited(message);
  return status === 500 ? { code: "INTERNAL_ERROR", message } : { code: code ?? "MAINTENANCE", message };
}
