/** A venue on a file without HTTP: its journal, its sequencer, and resting orders for it. */
import { randomUUID } from "node:crypto";
import type { PlaceOrder } from "../../simulator/domain/command.ts";
import type { World } from "../../simulator/domain/world.ts";
import { MarketClock } from "../../simulator/sequencer/clock.ts";
import { recover } from "../../simulator/sequencer/recover.ts";
import { Sequencer } from "../../simulator/sequencer/sequencer.ts";
import type { SequencerPorts } from "../../simulator/sequencer/sequencer-ports.ts";
import { openJournal } from "../../simulator/store/open-journal.ts";
import { loadWorldValue } from "../../simulator/world/load-world.ts";
import { loadWorldFile } from "./load-world.ts";

export type LoadJournal = ReturnType<typeof openJournal>;

/** Reconciliation is delayed by an hour, so that it is part of no measurement. */
export async function loadWorld(): Promise<World> {
  const built = await loadWorldValue(loadWorldFile(3_600_000));
  if (!built.ok) throw new Error(JSON.stringify(built.error));
  return built.value.world;
}

export const openLoadJournal = (file: string, world: World): LoadJournal =>
  openJournal({ file, world, now: Date.now(), engineVersion: "bench" });

export function startSequencer(
  journal: LoadJournal,
  world: World,
  onCommitted: SequencerPorts["onCommitted"] = () => undefined,
): Sequencer {
  return new Sequencer({
    journal,
    ...recover(journal, world),
    clock: new MarketClock("real"),
    schedule: { nextAt: () => null, commandsAt: () => [] },
    maintain: () => undefined,
    onCommitted,
    onFailure: (failure) => console.error(failure.message),
  });
}

/** The nth order: it rests, one of 4,000 levels a side. */
export function restingOrder(n: number): PlaceOrder {
  const side = n % 2 === 0 ? "BUY" : "SELL";
  const price = String(side === "BUY" ? 50_000 - (n % 4000) : 60_000 + (n % 4000));
  const rest = { stopPrice: null, quoteValue: null, fault: null, baseQuantity: "0.001", price };
  const clientOrderId = randomUUID();
  return { kind: "PlaceOrder", client: 0, clientOrderId, product: "BTC-USD", side, type: "LIMIT", ...rest };
}
