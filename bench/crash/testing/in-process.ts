/** A venue in this process, over a file, with additions for tests. */
import { type Simulator, startSimulator } from "../../../simulator/index.ts";
import type { InternalOptions } from "../../../simulator/internal-options.ts";
import { crashWorld } from "../market.ts";

export interface Told {
  readonly simulator: Simulator;
  /** Notices for the operator. */
  readonly notices: string[];
  readonly stops: string[];
}

export async function startHere(db: string, more: InternalOptions = {}): Promise<Told> {
  const notices: string[] = [];
  const stops: string[] = [];
  const options: InternalOptions = {
    db,
    world: crashWorld,
    retryMs: 30,
    onNotice: (sentence) => notices.push(sentence),
    onStopped: (sentence) => stops.push(sentence),
    ...more,
  };
  return { simulator: await startSimulator(options), notices, stops };
}
