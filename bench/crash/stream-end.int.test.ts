/** The stream of a venue as users start it: from the bundle, and with a message when the venue ends. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { useScratch } from "../../simulator/store/testing/scratch.ts";
import { Client } from "../../simulator/testing/client.ts";
import { connectStream, type StreamClient } from "../../simulator/testing/stream-client.ts";
import { limitBuy } from "../../simulator/testing/venue.ts";
import { killAllVenues, startVenue } from "./served-venue.ts";
import { useBuild } from "./testing/built.ts";

useBuild();
const scratch = useScratch();
afterEach(killAllVenues);

const worldText = "extends: demo\nsettings: { limits: { streamConnectionsPerKey: 200 } }\n";

it("tells 100 subscribers that it ends, does not wait for a subscriber that does not read, and exits 0 within 5 s", async () => {
  const world = path.join(scratch(), "world.yaml");
  writeFileSync(world, worldText);
  const venue = await startVenue({ db: path.join(scratch(), "venue.db"), flags: ["--world", world] });
  const key = venue.ready.keys.find(({ name }) => name === "trader");
  if (key === undefined) throw new Error("there is no trader");
  const client = new Client(venue.ready.baseUrl, key);
  const streams = await Promise.all(Array.from({ length: 100 }, () => connectStream(client)));
  for (const stream of streams) stream.subscribe("orders");
  await Promise.all(streams.map((stream) => stream.nextOf("snapshot")));
  const [deaf, ...listening] = streams as [StreamClient, ...StreamClient[]];
  deaf.socket.pause();
  const { status } = await client.place(limitBuy());
  expect(status).toBe(200);
  venue.signal("SIGTERM");
  const closes = await Promise.all(listening.map((stream) => stream.closed));
  expect(new Set(closes.map(({ code }) => code))).toEqual(new Set([1001]));
  // After 5 s the program would end itself, with another code.
  expect((await venue.ended).code).toBe(0);
  for (const stream of listening) expect(JSON.stringify(stream.messages)).toContain('"event":"ACCEPTED"');
  deaf.socket.terminate();
});
