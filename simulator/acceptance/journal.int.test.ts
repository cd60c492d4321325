/** The journal on the control surface: entries as they were written, with the events that a replay makes of them. */
import { expect, test } from "vitest";
import { asObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy } from "../testing/venue.ts";

const venue = useVenue();
const read = (path: string) => venue().control(path, {}, "GET");

test("an entry has the command, its events, and the hash of the chain", async () => {
  await venue().trader.place(limitBuy());
  const { seq, hash } = await read("/health");
  const { entries, last } = await read("/journal?limit=2");
  expect(last).toBe(seq);
  const newest = asObject(listIn(entries).at(-1));
  expect(listIn(entries).length).toBe(Math.min(2, Number(seq)));
  expect(newest).toMatchObject({ seq, hash, kind: "PlaceOrder" });
  expect(asObject(listIn(newest["events"])[0])["kind"]).toBe("OrderAccepted");
  expect(await read(`/journal/${String(seq)}`)).toEqual(newest);
  expect(listIn((await read(`/journal?from=${String(seq)}`))["entries"])).toEqual([newest]);
  expect((await read(`/journal?from=${Number(seq) + 1}`))["entries"]).toEqual([]);
});
