/** One random stream through engine and reference venue, compared after every command. */
import type { Event } from "../../domain/event.ts";
import { CommandStream } from "./command-stream.ts";
import {
  compareEverything,
  compareFill,
  compareOrder,
  compareOutcome,
  compareWallets,
  Disagreement,
  Numbers,
} from "./compare.ts";
import { type Coverage, countCommand, countEntries, countOutcome } from "./coverage.ts";
import { Drive, type Entry } from "./drive.ts";
import { Random } from "./random.ts";
import { randomVenue } from "./random-venue.ts";
import { ReferenceVenue } from "./reference-venue.ts";

/** Long enough for deep books and old orders, short enough for the slow side. */
export const streamLength = 250;
const fullComparisonEvery = 25;

/** Throws a `Disagreement` that names seed and command; counts what the stream exercised. */
export function compareStream(seed: number, commands: number, coverage: Coverage): void {
  const random = new Random(seed);
  const venue = randomVenue(random);
  const numbers = new Numbers();
  const drive = new Drive(venue.spec);
  const reference = new ReferenceVenue(venue.spec, numbers.countOf);
  const stream = new CommandStream(random, venue, reference, numbers.numberOf);
  const changes: number[] = [];
  let fills = 0;
  for (let done = 0; done < commands; done++) {
    const wait = random.chance(0.5) ? 0 : random.int(1, 70);
    const command = stream.next();
    try {
      drive.advance(wait);
      reference.advance(drive.now);
      const outcome = drive.submit(command);
      const entries = drive.take();
      for (const entry of entries) noteNumbers(entry, numbers);
      const expected = reference.handle(command);
      compareOutcome(outcome, expected, numbers);
      fills = compareFills(drive, entries, reference, fills, numbers);
      compareTouched(drive, entries, reference, numbers, changes);
      compareWallets(drive.state, reference);
      if (done % fullComparisonEvery === 0 || done === commands - 1)
        compareEverything(drive, reference, numbers);
      countCommand(coverage, command);
      countOutcome(coverage, outcome);
      countEntries(coverage, drive.state, entries);
    } catch (error) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const where = `seed ${seed}, command ${done}: ${JSON.stringify(command)}, settings ${JSON.stringify(drive.state.settings)}`;
      throw new Disagreement(`${where}\n${cause}`, { cause: error });
    }
  }
}

function noteNumbers(entry: Entry, numbers: Numbers): void {
  for (const event of entry.events) if (event.kind === "OrderAccepted") numbers.add(event.terms.number);
}

function compareFills(
  drive: Drive,
  entries: readonly Entry[],
  reference: ReferenceVenue,
  compared: number,
  numbers: Numbers,
): number {
  const traded = entries.flatMap((entry) =>
    entry.events.filter((event): event is Event<"Traded"> => event.kind === "Traded"),
  );
  const expected = reference.fills.slice(compared);
  for (const [index, fill] of expected.entries()) {
    const event = traded[index];
    if (event === undefined) break;
    compareFill(drive.state, event, fill, numbers);
  }
  if (traded.length !== expected.length) {
    throw new Disagreement(`the engine made ${traded.length} fills, the reference venue ${expected.length}`);
  }
  return compared + traded.length;
}

/** Orders that either side says it changed; the full comparison finds what was changed in silence. */
function compareTouched(
  drive: Drive,
  entries: readonly Entry[],
  reference: ReferenceVenue,
  numbers: Numbers,
  compared: number[],
): void {
  const touched = new Set<number>();
  for (const { events } of entries) {
    for (const event of events) {
      if (event.kind === "OrderAccepted") touched.add(event.terms.number);
      else if (event.kind === "Traded") touched.add(event.taker).add(event.maker);
      else if ("order" in event) touched.add(event.order);
    }
  }
  touched.delete(0);
  for (const [index, order] of reference.orders.entries()) {
    if (order.changes !== compared[index]) touched.add(numbers.numberOf(order.id));
    compared[index] = order.changes;
  }
  for (const number of touched) {
    const order = reference.orders[numbers.countOf(number) - 1];
    if (order === undefined) throw new Disagreement(`the reference venue has no order ${number}`);
    compareOrder(drive.state, drive.order(number), order);
  }
}
