/** A sample of `npm run soak:stream`: the state of the stream equals that of reads. */
import { expect, test } from "vitest";
import { StreamModel } from "../testing/stream-model.ts";
import { withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const roomy = { limits: { streamConnectionsPerKey: 100, streamMessagesPerSecond: 1000 } };

test.each([
  ["matched at once", 0, 1],
  ["matched later", 50, 2],
] as const)(
  "books, orders and wallets of 20 subscribers are those that are read: %s",
  async (_name, matchDelayMs, seed) => {
    await withVenue({ world: quietWorld({ ...roomy, matchDelayMs }) }, async (venue) => {
      const model = new StreamModel(venue, seed);
      for (let round = 0; round < 4 && !model.isFaulty; round++) await model.round(100, 20);
      const result = await model.finish();
      expect(result.faults).toEqual([]);
      expect(result.booksCompared).toBeGreaterThan(100);
      expect(result.ordersCompared).toBeGreaterThan(500);
      expect(result.connections).toBeGreaterThan(20);
    });
  },
);
