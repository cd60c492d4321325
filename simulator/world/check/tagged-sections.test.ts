import { describe, expect, it } from "vitest";
import { changed, problemsIn } from "../testing/small-world.ts";

describe("A world file with a wrong kind of market or fault", () => {
  it("names the nearest liquidity mode", async () => {
    expect(
      await problemsIn(changed("clients:", "    liquidity: { mode: laddr }\nclients:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:11:24: products[0].liquidity.mode must be one of pinned, ladder, walk, trades, empty, was "laddr"
        11 |     liquidity: { mode: laddr }
           |                        ^^^^^
        did you mean "ladder"?
      "
    `);
  });

  it("asks for the liquidity mode", async () => {
    expect(
      await problemsIn(changed("clients:", "    liquidity: { levels: 3 }\nclients:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:11:5: products[0].liquidity.mode is required: one of pinned, ladder, walk, trades, empty
        11 |     liquidity: { levels: 3 }
           |     ^^^^^^^^^
      "
    `);
  });

  it("knows which properties a liquidity mode has", async () => {
    expect(
      await problemsIn(changed("clients:", "    liquidity: { mode: empty, levels: 3 }\nclients:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:11:31: products[0].liquidity.levels is unknown
        11 |     liquidity: { mode: empty, levels: 3 }
           |                               ^^^^^^
        known here: mode
      "
    `);
  });

  it("names the nearest kind of fault", async () => {
    expect(
      await problemsIn(changed("keys:", "faults:\n  - { id: slow, fault: { kind: dealy, ms: 5 } }\nkeys:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:21:5: faults[0] needs a fault, or an outcome in its place
        21 |   - { id: slow, fault: { kind: dealy, ms: 5 } }
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      world.yaml:21:32: faults[0].fault.kind must be one of externalFailure, internalFailure, clientNotFound, stuckPending, rejectByExchange, neverSync, staleReads, lateSync, course, stuckCancel, doubleEvents, delay, streamDrop, streamDuplicate, streamReorder, streamStall, streamSlow, streamClose, delayResponse, dropConnectionBefore, dropConnectionAfter, resetConnectionBefore, resetConnectionAfter, cutBody, status, was "dealy"
        21 |   - { id: slow, fault: { kind: dealy, ms: 5 } }
           |                                ^^^^^
        did you mean "delay"?
      "
    `);
  });

  it("knows the needs of a kind of fault", async () => {
    expect(
      await problemsIn(changed("keys:", "faults:\n  - { id: slow, fault: { kind: delay } }\nkeys:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:21:5: faults[0] needs a fault, or an outcome in its place
        21 |   - { id: slow, fault: { kind: delay } }
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      world.yaml:21:17: faults[0].fault.ms is required
        21 |   - { id: slow, fault: { kind: delay } }
           |                 ^^^^^
      "
    `);
  });
});
