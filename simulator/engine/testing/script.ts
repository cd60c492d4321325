/** A recorded random stream: waits and commands that mean the same in every venue that starts from the same world. */
import type { Command } from "../../domain/command.ts";
import type { OrderFault } from "../../domain/fault.ts";
import { isTerminal } from "../../domain/order.ts";
import { lotsText, ticksText } from "../../domain/steps.ts";
import type { VenueState } from "../state.ts";
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
  return record(random, { spec: { ...spec, settings }, activity }, length, (command, state) => {
    if (random.chance(0.06)) return actionOn(random, state) ?? command;
    if (command.kind !== "PlaceOrder" || random.chance(0.8)) return command;
    return { ...command, fault: random.pick(faults) };
  });
}

/** An action of the controls on an order that has not ended; null when there is none. */
function actionOn(random: Random, state: VenueState): Command | null {
  const open = [...state.orders.values()].filter(({ status }) => !isTerminal(status));
  if (open.length === 0) return null;
  const { terms, phase, status } = random.pick(open);
  const order = terms.number;
  if (status === "PENDING")
    return random.pick<Command>([
      { kind: "HoldOrder", order },
      { kind: "HoldOrder", order },
      { kind: "ConfirmOrder", order, to: "OPEN" },
      { kind: "ConfirmOrder", order, to: "FAILED" },
      { kind: "CancelByExchange", order },
    ]);
  if (phase !== "resting" || terms.price === null) return { kind: "CancelByExchange", order };
  const { product } = state.market(terms.product);
  const better =
    terms.side === "BUY" ? Math.max(1, terms.price - random.int(0, 3)) : terms.price + random.int(0, 3);
  const quantity = random.chance(0.5) ? null : lotsText(product, random.int(1, 5));
  return {
    kind: "FillOrder",
    order,
    quantity,
    ...(random.chance(0.5) ? {} : { price: ticksText(product, better) }),
  };
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
  { kind: "lateSync", ms: 90 },
  { kind: "course", steps: [] },
  { kind: "course", steps: [{ do: "confirm", afterMs: 20 }] },
  { kind: "course", steps: [{ do: "fail", afterMs: 20 }] },
  {
    kind: "course",
    steps: [
      { do: "fill", afterMs: 0, percent: 33, betterBy: 2 },
      { do: "match", afterMs: 40 },
      { do: "fill", afterMs: 30, percent: 33 },
      { do: "expire", afterMs: 100 },
    ],
  },
  {
    kind: "course",
    steps: [
      { do: "confirm", afterMs: 10 },
      { do: "fill", afterMs: 10, percent: 50 },
      { do: "cancel", afterMs: 50 },
    ],
  },
  { kind: "course", steps: [{ do: "fill", afterMs: 30 }] },
  {
    kind: "course",
    steps: [
      { do: "fill", afterMs: 10, percent: 40 },
      { do: "fill", afterMs: 20, percent: 40 },
      { do: "match", afterMs: 20 },
    ],
  },
  { kind: "stuckCancel" },
  { kind: "stuckCancel", refusedAfterMs: 30 },
];

function record(
  random: Random,
  venue: RandomVenue,
  length: number,
  spoil: (command: Command, state: VenueState) => Command,
): Script {
  const numbers = new Numbers();
  const drive = new Drive(venue.spec);
  const reference = new ReferenceVenue(venue.spec, numbers.countOf);
  const stream = new CommandStream(random, venue, reference, numbers.numberOf);
  const steps = Array.from({ length }, () => {
    const wait = random.chance(0.5) ? 0 : random.int(1, 70);
    const given = stream.next();
    const command = spoil(given, drive.state);
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
