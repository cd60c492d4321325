/**
 * `npm run soak:stream -- --events 100000 --seed 1`: random orders while subscribers come and go, until the journal has
 * that many entries. The streamed state is compared with reads all the time. Ends with 1 at the first fault.
 */
import { StreamModel } from "../simulator/testing/stream-model.ts";
import { startVenue } from "../simulator/testing/venue.ts";
import { quietWorld } from "../simulator/testing/worlds.ts";

const flag = (name: string, otherwise: number): number => {
  const at = process.argv.lastIndexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};

const [events, seed] = [flag("events", 100_000), flag("seed", 1)];
const limits = { streamConnectionsPerKey: 100, streamMessagesPerSecond: 1000 };
const venue = await startVenue({ world: quietWorld({ limits, matchDelayMs: seed % 2 === 0 ? 50 : 0 }) });
const model = new StreamModel(venue, seed);
const began = performance.now();
const entries = async (): Promise<number> => Number((await venue.control("/health", {}, "GET"))["seq"]);

for (let round = 1; !model.isFaulty && (await entries()) < events; round++) {
  await model.round(500, 20);
  if (round % 20 === 0) process.stdout.write(`${await entries()} entries after ${round} rounds\n`);
}
const journal = await entries();
const { messages, booksCompared, ordersCompared, connections, faults } = await model.finish();
await venue.close();
const seconds = ((performance.now() - began) / 1000).toFixed(0);
process.stdout.write(
  `${journal} entries, ${messages} messages to ${connections} connections, ${booksCompared} books and ${ordersCompared} ` +
    `orders and wallets compared, ${faults.length} faults (seed ${seed}, ${seconds} s)\n`,
);
for (const fault of faults.slice(0, 10)) process.stdout.write(`FAULT: ${fault.slice(0, 1000)}\n`);
process.exit(faults.length === 0 ? 0 : 1);
