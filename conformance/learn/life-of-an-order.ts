/** An order from its placing to its end, read again and again to see when things turn. */
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../model/json.ts";
import type { LearnDesk } from "./desk.ts";
import { isFinal } from "./readers-of-orders.ts";
import type { Sample } from "./sighting.ts";

const longestMs = 3_000;

/** Reads until the state is seen; the change lies between the end of one request and the begin of another. */
export async function until(
  first: Sample,
  read: () => Promise<Sample>,
  seen: (sample: Sample) => boolean,
  pauseMs: (count: number) => number,
): Promise<Sample> {
  const begun = first.exchange;
  let low = Number.NEGATIVE_INFINITY;
  for (let count = 1; ; count += 1) {
    const sample = await read();
    const { startedAt, endedAt } = sample.exchange;
    const high = endedAt - begun.startedAt;
    if (seen(sample)) {
      const between = { low: low === Number.NEGATIVE_INFINITY ? 0 : low, high };
      return {
        ...sample,
        between,
        note: `seen between ${Math.max(0, Math.round(low))} and ${Math.round(high)} ms later`,
      };
    }
    low = startedAt - begun.endedAt;
    if (low > longestMs || count >= mostReads) return sample;
    await wait(pauseMs(count));
  }
}

export const mostReads = 30;

export async function wholeLife(desk: LearnDesk): Promise<void> {
  const placed = await desk.place("order: placed");
  const { order, clientOrderId } = placed;
  if (order === undefined) return;
  const list = (): Promise<Sample> => desk.listed("order: listed", clientOrderId);
  const canRead = typeof desk.session.profile.operations["readOrder"] === "object";
  const read = (): Promise<Sample> =>
    canRead ? desk.onOrder("order: synced", "readOrder", order) : desk.listed("order: synced", clientOrderId);
  const isListed = (sample: Sample): boolean => sample.order !== undefined;
  const [listed, synced] = await Promise.all([
    until(placed, list, isListed, (count) => (count < 3 ? 20 : 150)),
    until(
      placed,
      read,
      (sample) => sample.order?.get("synced") === true,
      (count) => 3 + count * 2,
    ),
  ]);
  desk.keep("order: listed", listed);
  desk.keep("order: synced", synced);
  if (canRead) await desk.onOrder("order: read later", "readOrder", order);
  else await desk.listed("order: read later", clientOrderId);
  if (typeof desk.session.profile.operations["cancelOrder"] === "object")
    await ended(desk, order, clientOrderId);
  await desk.place("order: repeated", { client_order_id: clientOrderId });
}

async function ended(desk: LearnDesk, order: JsonObject, clientOrderId: string): Promise<void> {
  const cancelled = await desk.onOrder("order: cancelled", "cancelOrder", order);
  const canRead = typeof desk.session.profile.operations["readOrder"] === "object";
  const name = "order: ended";
  const look = (): Promise<Sample> =>
    canRead ? desk.onOrder(name, "readOrder", order) : desk.listed(name, clientOrderId);
  const isGone = (sample: Sample): boolean =>
    isFinal(sample.order) ||
    (!canRead && sample.order === undefined && sample.exchange.reply?.status === 200);
  const after = await until(cancelled, look, isGone, (count) => 20 + count * 10);
  desk.keep(name, after);
  if (canRead) desk.keep("order: read later", after);
  await desk.onOrder("order: cancelled again", "cancelOrder", order);
}
