/** A venue whose store fails outside a commit, as one that other machines share does. */
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plain } from "../engine/testing/table.ts";
import { worldOf } from "../engine/testing/venue-spec.ts";
import { MarketClock } from "./clock.ts";
import type { Journal } from "./ports.ts";
import { MemoryJournal, onFire } from "./testing/memory-journal.ts";
import { Venue } from "./venue.ts";

const retryMs = 1000;
const back = "Writing works again: the venue takes orders.";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function started(open: (again: boolean) => Journal): { readonly venue: Venue; readonly notices: string[] } {
  const notices: string[] = [];
  const world = worldOf(plain);
  const venue = new Venue({
    world,
    clock: new MarketClock("manual", world.startAt),
    engineVersion: "test",
    opening: [],
    openJournal: open,
    makeSchedule: () => ({ nextAt: () => null, commandsAt: () => [] }),
    maintain: () => false,
    onStopped: () => {},
    onNotice: (sentence) => notices.push(sentence),
    retryMs,
  });
  return { venue, notices };
}

/** Away as long as the returned switch says so. */
function sometimesAway() {
  const store = { journal: new MemoryJournal(), isAway: false, opened: 0 };
  const open = (again: boolean): Journal => {
    if (again && store.isAway) throw onFire("none");
    store.opened += 1;
    return store.journal;
  };
  return { store, open };
}

test("it comes back once, however often it hears that the store is away", async () => {
  const { store, open } = sometimesAway();
  const { venue, notices } = started(open);
  store.isAway = true;
  for (let count = 0; count < 5; count++) {
    venue.storeFailed(onFire("none"));
    await vi.advanceTimersByTimeAsync(retryMs / 3);
  }
  expect(venue.mode).toBe("read-only");
  store.isAway = false;
  await vi.advanceTimersByTimeAsync(20 * retryMs);
  expect(venue.mode).toBe("running");
  expect(notices.filter((notice) => notice === back)).toHaveLength(1);
  expect(store.opened).toBe(2);
});

test("a venue that was closed while the store was away stays closed", async () => {
  const { store, open } = sometimesAway();
  const { venue } = started(open);
  store.isAway = true;
  for (let count = 0; count < 3; count++) venue.storeFailed(onFire("none"));
  venue.close();
  store.isAway = false;
  await vi.advanceTimersByTimeAsync(20 * retryMs);
  expect([venue.mode, store.opened]).toEqual(["closed", 1]);
});

test("what becomes of a commit of the journal before does not stop the next one", async () => {
  const first = new MemoryJournal();
  let cut = (): void => {};
  const { venue, notices } = started((again) => (again ? new MemoryJournal() : first));
  const commit = new Promise<void>((_, reject) => {
    cut = () => reject(onFire("unknown"));
  });
  const begun = vi.fn(() => commit);
  Object.assign(first, { commit: begun });
  const nonce = { key: 0, nonce: "0".repeat(32), timestamp: 1, receivedAt: 1 };
  const waiting = venue.submit(null, nonce).catch((error: unknown) => error);
  while (begun.mock.calls.length === 0) await turn();
  venue.storeFailed(onFire("none"));
  expect(venue.mode).toBe("running");
  cut();
  expect(await waiting).toMatchObject({ outcome: "unknown" });
  expect(venue.mode).toBe("running");
  expect(notices.filter((notice) => notice === back)).toHaveLength(1);
  venue.close();
});
