/**
 * The hash chain: h[n] = H(h[n-1], n, time, command, events). Replaying a journal gives the same hashes, or finds the
 * first entry that differs. Half of SHA-256 is kept: 128 bits against accident and casual tampering.
 */
import { hash } from "node:crypto";
import type { CommandKind } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { FeeRates } from "../domain/order.ts";
import type { VenueHeader } from "./ports.ts";

export interface ChainedEntry {
  readonly seq: number;
  readonly at: number;
  readonly kind: CommandKind;
  readonly command: string;
  readonly events: readonly Event[];
}

/** The first entry is chained to this: world, seed and epoch of the venue. */
export function genesisHash(header: Pick<VenueHeader, "worldDigest" | "seed" | "epoch">): string {
  return hash("sha256", `gatewright\n${header.worldDigest}\n${header.seed}\n${header.epoch}`, "hex").slice(
    0,
    32,
  );
}

export function chainHash(previous: string, entry: ChainedEntry): string {
  const text = `${previous}\n${entry.seq}\n${entry.at}\n${entry.kind}\n${entry.command}\n${eventsText(entry.events)}`;
  return hash("sha256", text, "hex").slice(0, 32);
}

function eventsText(events: readonly Event[]): string {
  let text = "";
  for (const event of events) text += eventText(event);
  return text;
}

/** Frequent events as plain lines; the rest as JSON. Each line starts with the kind, so no two kinds can collide. */
function eventText(event: Event): string {
  switch (event.kind) {
    case "OrderAccepted": {
      const { due, terms } = event;
      const next =
        due === null
          ? ""
          : `${due.action}@${due.at}${due.acts === undefined ? "" : JSON.stringify(due.acts)}`;
      return (
        `OrderAccepted ${terms.number} ${terms.quantity} ${terms.price} ${terms.stopPrice} ${terms.budget} ${event.status} ` +
        `${event.hold} ${next} ${event.willSync} ${ratesText(terms.rates)} ${event.reason}\n`
      );
    }
    case "Traded": {
      const { takerCharge, makerCharge } = event;
      return (
        `Traded ${event.trade} ${event.price} ${event.quantity} ${event.takerSide} ${event.taker} ${event.maker} ` +
        `${takerCharge.commission} ${takerCharge.exchangeFee} ${makerCharge.commission} ${makerCharge.exchangeFee}\n`
      );
    }
    case "OrderRested":
      return `OrderRested ${event.order} ${event.quantity}\n`;
    case "OrderClosed":
      return `OrderClosed ${event.order} ${event.status} ${event.reason}\n`;
    case "LiquidityRested":
      return `LiquidityRested ${event.product} ${event.side} ${event.price} ${event.quantity}\n`;
    default:
      return `${JSON.stringify(event, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))}\n`;
  }
}

/** Every order of a client carries the same rates object; its text is made once. */
const rateFields = new WeakMap<FeeRates, string>();

function ratesText(rates: FeeRates): string {
  let text = rateFields.get(rates);
  if (text === undefined) {
    text = `${rates.makerCommission} ${rates.takerCommission} ${rates.makerExchange} ${rates.takerExchange}`;
    rateFields.set(rates, text);
  }
  return text;
}
