/** A snapshot is the whole state: written, read and written again it has the same bytes, and both venues go on alike. */
import { describe, expect, test } from "vitest";
import { captureSnapshot, restoreSnapshot, stateHash } from "./snapshot.ts";
import { VenueState } from "./state.ts";
import { Drive } from "./testing/drive.ts";
import { Random } from "./testing/random.ts";
import { play, recordScript } from "./testing/script.ts";
import { plainWith, Table } from "./testing/table.ts";
import { worldOf } from "./testing/venue-spec.ts";

function restartOf(drive: Drive): Drive {
  const restarted = new Drive(restoreSnapshot(drive.state.world, captureSnapshot(drive.state)));
  restarted.now = drive.now;
  return restarted;
}

describe("a snapshot", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "taken anywhere in stream %i leads to the same end",
    (seed) => {
      const { spec, steps } = recordScript(seed, 260);
      const at = new Random(seed).int(20, 200);
      const original = new Drive(spec);
      play(original, steps.slice(0, at));
      const restored = restartOf(original);
      expect(stateHash(restored.state)).toBe(stateHash(original.state));
      restored.audit();
      original.take();

      play(original, steps.slice(at));
      play(restored, steps.slice(at));
      expect(restored.take()).toEqual(original.take());
      expect(stateHash(restored.state)).toBe(stateHash(original.state));
      original.advance(1000);
      restored.advance(1000);
      expect(stateHash(restored.state)).toBe(stateHash(original.state));
    },
  );

  test("does not depend on how often an order changed at one moment", () => {
    const table = new Table();
    table.refresh("SELL 1 @ 100", "SELL 1 @ 101", "SELL 1 @ 102");
    table.place("ann", "BUY LIMIT 3 @ 102");
    const restored = restartOf(table.drive);
    table.drive.advance(50);
    restored.advance(50);
    expect(stateHash(restored.state)).toBe(table.stateHash());
  });

  test("keeps what is under way: a queued order, a waiting stop, a requested cancel, an unknown outcome", () => {
    const table = new Table(plainWith({ matchDelayMs: 50, cancelMode: "async", confirmDelayMs: 70 }));
    const stop = table.place("ann", "BUY STOP_LIMIT 1 @ 110 stop 105");
    table.drive.advance(50);
    const queued = table.place("ann", "BUY LIMIT 1 @ 90");
    const cancelled = table.place("bob", "BUY LIMIT 1 @ 91");
    table.cancel("bob", cancelled);
    const fault = { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 40 } as const;
    table.do(table.command("cleo", "BUY LIMIT 1 @ 92", { fault }));
    const restored = restartOf(table.drive);
    restored.submit({ kind: "PrintTrade", product: "COIN-USD", price: "105", quantity: "1" });
    restored.advance(100);
    const statuses = [...restored.state.orders.values()].map((order) => `${order.status} ${order.phase}`);
    expect(statuses).toEqual(["OPEN resting", "OPEN resting", "CANCELLED done", "OPEN resting"]);
    expect(restored.order(stop).slot).toBeGreaterThanOrEqual(0);
    expect(restored.order(queued).slot).toBeGreaterThanOrEqual(0);
  });

  test("keeps names that look like its own numbers", () => {
    const table = new Table();
    table.do({ kind: "SetKeyState", keyId: "7n", state: "disabled" });
    table.do({ kind: "CreateKey", name: "bot", keyId: "8n", client: 0, claims: ["read:orders"], salt: "a" });
    table.do({ kind: "RotateKey", keyId: "7n", salt: "b" });
    table.do({ kind: "SetFaults", rules: [{ id: "12n", key: "~3n", fault: { kind: "internalFailure" } }] });
    const restored = restartOf(table.drive).state;
    expect(restored.keyState("7n")).toBe("disabled");
    expect(restored.faults).toEqual(table.drive.state.faults);
    expect(stateHash(restored)).toBe(table.stateHash());
  });

  test("differs as soon as anything in the state does", () => {
    const one = new VenueState(worldOf(plainWith({})));
    const other = new VenueState(worldOf(plainWith({})));
    expect(stateHash(one)).toBe(stateHash(other));
    other.market(0).halted = true;
    expect(stateHash(one)).not.toBe(stateHash(other));
  });
});
