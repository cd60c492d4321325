/** The actions of a situation besides the client, on a running venue. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Sent } from "./evidence.ts";
import type { Session } from "./session.ts";
import type { Others, VenueOrder } from "./situation.ts";
import type { Tap } from "./stream-tap.ts";
import { candidate, type Venue } from "./venue.ts";

/** Reads follow each other so. */
const askEveryMs = 15;
/** From a snapshot of the channel until the client has its other subscriptions, too. */
const subscribingMs = 300;

interface Stage {
  readonly venue: Venue;
  readonly session: Session;
  /** Of a task of the stream. */
  readonly tap: Tap | undefined;
  /** Notes an order of another session. */
  readonly note: (order: VenueOrder) => void;
  /** How long a client may take until it listens. */
  readonly connectWithinMs: number;
  /** It has taken longer, and the situation begins without it. */
  readonly beginWithout: () => void;
  /** The client has ended. */
  readonly signal: AbortSignal;
}

export function othersAt({
  venue,
  session,
  tap,
  note,
  connectWithinMs,
  beginWithout,
  signal,
}: Stage): Others {
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal });
  const until = <Found>(look: () => Promise<Found | undefined>): Promise<Found> => untilFound(look, pause);
  const seen = async (what: (sent: readonly Sent[]) => boolean): Promise<void> => {
    await until(async () => (what(await venue.sent()) ? true : undefined));
  };
  return {
    pause: async (ms) => {
      await seen((sent) => sent.length > 0);
      await pause(ms);
    },
    seen,
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
    exchange: async (does, { id }) => {
      await venue.control.order[does]({ id });
    },
    listening: async () => {
      const latest = performance.now() + connectWithinMs;
      const listens = (): boolean => tap?.hasSnapshot() === true;
      await until(async () => (listens() || performance.now() > latest ? true : undefined));
      if (!listens()) beginWithout();
      await pause(subscribingMs);
    },
    away: (act) => tap?.away(act) ?? act(),
    trouble: async (...faults) => {
      await venue.control.faults.set({ rules: faults.map((rule) => ({ key: candidate, ...rule })) });
    },
    restart: () => venue.restart(),
  };
}

async function untilFound<Found>(
  look: () => Promise<Found | undefined>,
  pause: (ms: number) => Promise<void>,
): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(askEveryMs);
  }
}
