/** A recorded random stream: waits and commands that mean the same in every venue that starts from the same world. */
import type { Command } from "../../domain/command.ts";
import type { OrderFault } from "../../domain/fault.ts";
import { CommandStream } from "./command-stream.ts";
import { Numbers } from "./compare.ts";
import { Drive } from "./drive.ts";
import { Random } from "./random.ts";
import { type RandomVenue, randomVenue } from "./random-venue.ts";
import { ReferenceVenue } from "./reference-venue.ts";
import type { VenueSpec } from "./venue-spec.ts";

export interface Script {
  readonly spec: VenueSpec;
  readonly steps: readonly { readonly wait: number; readonly command: Command }[];
}

export function recordScript(seed: number, length: number): Script {
  const random = new Random(seed);
  const venue = randomVenue(random);
  return record(random, venue, length, (command) => command);
}

/** Everything asynchronous, and faults in between: beyond what the reference venue knows. */
export function recordUnrulyScript(seed: number, length: number): Script {
  const random = new Random(seed);
  const { spec, activity } = randomVenue(random);
  const settings = {
    ...spec.settings,
    acceptance: random.pick(["sync", "async"] as const),
    cancelMode: random.pick(["sync", "async"] as const),
    confirmDelayMs: random.pick([0, 20, 50]),
    syncDelayMs: random.pick([0, 50]),
    slippageCollarBps: random.pick([null, 0, 500]),
  };
  return record(random, { spec: { ...spec, settings }, activity }, length, (command) => {
    if (command.kind !== "PlaceOrder" || random.chance(0.8)) return command;
    return { ...command, fault: random.pick(faults) };
  });
}

const faults: readonly OrderFault[] = [
  { kind: "externalFailure", outcome: "certain" },
  { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 30 },
  { kind: "externalFailure", outcome: "unknown", resolvesTo: "FAILED", afterMs: 50 },
  { kind: "internalFailure" },
  { kind: "clientNotFound" },
  { kind: "stuckPending" },
  { kind: "rejectByExchange", reason: "PRICE_OUT_OF_COLLAR" },
  { kind: "neverSync" },
];

function record(
  random: Random,
  venue: RandomVenue,
  length: number,
  spoil: (command: Command) => Command,
): Script {
  const numbers = new Numbers();
  const drive = new Drive(venue.spec);
  const reference = new ReferenceVenue(venue.spec, numbers.countOf);
  const stream = new CommandStream(random, venue, reference, numbers.numberOf);
  const steps = Array.from({ length }, () => {
    const wait = random.chance(0.5) ? 0 : random.int(1, 70);
    const given = stream.next();
    const command = spoil(given);
    drive.advance(wait);
    reference.advance(drive.now);
    const outcome = drive.submit(command);
    if (outcome.kind === "accepted") numbers.add(outcome.order.terms.number);
    reference.handle(given);
    return { wait, command };
  });
  return { spec: venue.spec, steps };
}

export function play(drive: Drive, steps: Script["steps"]): void {
  for (const { wait, command } of steps) {
    drive.advance(wait);
    drive.submit(command);
  }
}
