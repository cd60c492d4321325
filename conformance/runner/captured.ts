import { resolvePointer } from "../check/pointer.ts";
import { type Exchange, headerOf } from "../model/exchange.ts";
import { type Json, JsonNumber } from "../model/json.ts";
import type { WalletNames } from "../model/profile.ts";
import { isMap, type Value } from "../model/value.ts";

/** `'#/data/order/id'`, `'#order/filledValue'`, `{ next: true }`, `{ header: x }`, `{ status: true }`, `{ request: nonce }`. */
export function captured(source: Value, exchange: Exchange, order: Json | undefined): Json | undefined {
  if (typeof source === "string") {
    if (source.startsWith("#order")) return resolvePointer(order, source.slice("#order".length));
    return source.startsWith("#event")
      ? resolvePointer(exchange.stream?.event, source.slice("#event".length))
      : resolvePointer(exchange.json, source);
  }
  if (!isMap(source)) return undefined;
  if (typeof source["header"] === "string") return headerOf(exchange.reply, source["header"]);
  if (source["status"] === true) return new JsonNumber(String(exchange.reply?.status ?? 0));
  const part = source["request"];
  const { signature = "", withheld, ...values } = exchange.request.signed ?? {};
  const signed: Readonly<Record<string, string>> = {
    ...values,
    ...(signature === "" || withheld === true ? {} : { signature }),
    method: exchange.request.method,
    path: exchange.request.path,
  };
  return typeof part === "string" ? signed[part] : undefined;
}

/** Why a step delivered no value, with the line of the profile or of the scenario that can be wrong. */
export function whyMissed(
  step: string,
  source: Value,
  isWallet: boolean,
  { request, reply, transport }: Exchange,
  { asset, balance, hold, available }: WalletNames,
): string {
  const answer = `${request.method} ${request.path} (step ${step})`;
  if (reply !== undefined && reply.status >= 400) return `${answer} was answered ${reply.status}`;
  if (reply === undefined && transport !== "message") return `${answer} was not answered (${transport})`;
  if (isWallet)
    return `${answer} shows no record of it with two of balance, hold and available at ${balance}, ${hold}, ${available} and the asset at ${asset}: say where they are in operations.wallets.wallet`;
  return `${answer} has nothing at ${typeof source === "string" ? source : JSON.stringify(source)}`;
}
