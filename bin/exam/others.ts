/** What a situation does besides the client, on a running venue. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SimulatorWorld } from "../../simulator/index.ts";
import type { Session } from "./session.ts";
import type { Others } from "./situation.ts";

/** Reads follow each other so. */
const askEveryMs = 15;

interface Venue {
  readonly control: SimulatorWorld["control"];
  readonly session: Session;
  /** The client has ended. */
  readonly signal: AbortSignal;
}

export function othersAt({ control, session, signal }: Venue): Others {
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal });
  const until = async <Found>(look: () => Promise<Found | undefined>): Promise<Found> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(askEveryMs);
    }
  };
  return {
    order: (n) => until(async () => (await session.orders())[n]),
    fill: async ({ id }, quantity) => {
      await control.order.fill(quantity === undefined ? { id } : { id, quantity });
    },
    cancel: (order) => session.cancel(order),
  };
}
