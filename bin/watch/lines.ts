/** Events as lines for a log or a pipe: text for a person, or JSON for a program. */
import type { Market, MarketEvent } from "./market.ts";
import { type Fields, textOf } from "./message.ts";

export interface Told {
  /** Messages of the command itself: connections, gaps. */
  note(event: string, sentence: string, more?: Fields): void;
  happened(event: MarketEvent, market: Market): void;
  message(fields: Fields): void;
}

/** A book is told when its best prices change: each change of each level would be a flood. */
export function linesFor(write: (line: string) => void, printable: (text: string) => string): Told {
  const say = (what: string, sentence: string): void => write(printable(`${what.padEnd(6)} ${sentence}`));
  let best = "";
  return {
    note: (_event, sentence) => say("watch", sentence),
    message: () => {},
    happened: (event, market) => {
      if (event.kind === "trade") {
        const { time, side, price, quantity } = event.trade;
        say("trade", `${side.padEnd(4)} ${quantity} at ${price} (${time})`);
      }
      if (event.kind === "order") say("order", orderSentence(event));
      if (event.kind !== "book") return;
      const [bid, ask] = [market.bids[0]?.price ?? "none", market.asks[0]?.price ?? "none"];
      if (best === `${bid} ${ask}`) return;
      best = `${bid} ${ask}`;
      say("book", `bid ${bid}, ask ${ask} (number ${market.bookSequence ?? "none"})`);
    },
  };
}

function orderSentence({ event, order, fill }: Extract<MarketEvent, { kind: "order" }>): string {
  const { side, type, size, price, status, filled, clientOrderId } = order;
  const part = fill === undefined ? "" : ` ${textOf(fill["quantity"])} at ${textOf(fill["price"])}`;
  const filledSoFar = filled === "" || filled === "0" ? "" : `, filled ${filled}`;
  return `${event}${part}: ${side} ${type} ${size} at ${price} is ${status}${filledSoFar} (${clientOrderId})`;
}

/** The messages of the stream as they came, and between them those of the watch, of type `watch`. */
export function jsonFor(write: (message: Fields) => void): Told {
  return {
    note: (event, message, more = {}) => write({ type: "watch", event, message, ...more }),
    message: (fields) => {
      if (fields["type"] !== "heartbeat") write(fields);
    },
    happened: () => {},
  };
}
