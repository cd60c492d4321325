/** A snapshot only shortens the next start. A venue that cannot make one says so, and trades on. */
import { expect, test, vi } from "vitest";
import type { InternalOptions } from "../internal-options.ts";
import { limitBuy, startVenue } from "../testing/venue.ts";

vi.mock("../engine/snapshot.ts", async (original) => ({
  ...(await original<typeof import("../engine/snapshot.ts")>()),
  captureSnapshot: (): never => {
    throw new RangeError("there is no room");
  },
}));

test("a snapshot that cannot be made stops no request", async () => {
  const options: InternalOptions = { snapshotEvery: 2 };
  const venue = await startVenue(options);
  for (let round = 0; round < 5; round++) await venue.placed(limitBuy());
  expect(venue.notices).toContain(
    "No snapshot was written (there is no room). The next start reads more of the journal and takes longer.",
  );
  expect((await venue.open("/health/ready")).status).toBe(200);
  await venue.close();
});
