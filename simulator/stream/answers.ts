/** Messages that answer a client, as the text after their number. */
import { isoTime } from "../wire/envelope.ts";
import type { StreamError } from "./read-message.ts";
import type { Subscription } from "./subscriptions.ts";

const echo = (requestId: string | null): string =>
  requestId === null ? "" : `,"requestId":${JSON.stringify(requestId)}`;

export const pongText = (requestId: string | null, at: number): string =>
  `,"type":"pong","timestamp":"${isoTime(at)}"${echo(requestId)}}`;

export const errorText = ({ code, message, requestId }: StreamError, at: number): string =>
  `,"type":"error","timestamp":"${isoTime(at)}"${echo(requestId)},"code":"${code}","message":${JSON.stringify(message)}}`;

export const heartbeatText = (counter: number, at: number): string =>
  `,"type":"heartbeat","channel":"heartbeat","timestamp":"${isoTime(at)}","data":{"counter":${counter}}}`;

/** Everything that is subscribed to: products of a channel together, in the order in which they were asked for. */
export function subscriptionsText(all: Iterable<Subscription>, requestId: string | null, at: number): string {
  const groups = new Map<string, { channel: string; products?: string[]; granularity?: string }>();
  for (const { channel, product, granularity } of all) {
    const name = `${channel} ${granularity ?? ""}`;
    const group = groups.get(name) ?? { channel, ...(granularity === null ? {} : { granularity }) };
    if (product !== null) (group.products ??= []).push(product);
    groups.set(name, group);
  }
  const list = JSON.stringify([...groups.values()]);
  return `,"type":"subscriptions","timestamp":"${isoTime(at)}"${echo(requestId)},"subscriptions":${list}}`;
}
