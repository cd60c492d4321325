import { expect, it } from "vitest";
import { situations } from "./all-situations.ts";
import { Venue } from "./venue.ts";

it("gives a request once to two who ask at the same time", async () => {
  const situation = situations.find(({ id }) => id === "place-unavailable");
  if (situation === undefined) throw new Error("no such situation");
  await using venue = await Venue.start(situation, 1, "");
  await fetch(`${venue.baseUrl}/asset`);
  const [one, two] = await Promise.all([venue.sent(), venue.sent()]);
  expect([one.length, two.length]).toEqual([1, 1]);
});
