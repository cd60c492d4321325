/** The actions of a situation besides the client, on a running venue. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "./session.ts";
import type { Others, VenueOrder } from "./situation.ts";
import { candidate, type Venue } from "./venue.ts";

/** Reads follow each other so. */
const askEveryMs = 15;
/** From the handshake of a client until it has its subscriptions. */
const subscribingMs = 1000;

interface Stage {
  readonly venue: Venue;
  readonly session: Session;
  /** Notes an order of another session. */
  readonly note: (order: VenueOrder) => void;
  /** How long a client may take until it listens. */
  readonly connectWithinMs: number;
  /** The client has ended. */
  readonly signal: AbortSignal;
}

export function othersAt({ venue, session, note, connectWithinMs, signal }: Stage): Others {
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal });
  const until = async <Found>(look: () => Promise<Found | undefined>): Promise<Found> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(askEveryMs);
    }
  };
  const exchanges = async (status?: "101") =>
    (await venue.control.exchange.list({ key: candidate, ...(status === undefined ? {} : { status }) }))
      .exchanges;
  return {
    pause: async (ms) => {
      await until(async () => ((await exchanges()).length > 0 ? true : undefined));
      await pause(ms);
    },
    order: (n) => until(async () => (await session.orders())[n]),
    fill: async ({ id }, quantity) => {
      await venue.control.order.fill(quantity === undefined ? { id } : { id, quantity });
    },
    place: async (body) => {
      const placed = await session.place(body);
      note(placed);
      return placed;
    },
    cancel: (order) => session.cancel(order),
    listening: async (connections = 1) => {
      const latest = performance.now() + connectWithinMs;
      await until(async () => {
        const opened = (await exchanges("101")).filter(({ stream }) => stream === null);
        return opened.length >= connections || performance.now() > latest ? true : undefined;
      });
      await pause(subscribingMs);
    },
    trouble: async (...faults) => {
      await venue.control.faults.set({ rules: faults.map((rule) => ({ key: candidate, ...rule })) });
    },
    restart: () => venue.restart(),
  };
}
