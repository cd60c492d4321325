/** The controls as functions of the library. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { startSimulator } from "../index.ts";
import type { ControlLibrary as Control } from "./all-controls.ts";
import { ControlRefusal } from "./library.ts";

describe("the controls of the library", () => {
  it("have the types of their records", () => {
    expectTypeOf<Control["clock"]["advance"]>().parameter(0).toEqualTypeOf<{ readonly ms: number }>();
    expectTypeOf<Control["clock"]["read"]>().parameters.toEqualTypeOf<[]>();
    expectTypeOf<Control["clock"]["until"]>().parameter(0).toExtend<{ order: string; withinMs?: number }>();
    expectTypeOf<Control["clock"]["untilPrice"]>()
      .parameter(0)
      .toExtend<{ product: string; price: string }>();
    expectTypeOf<Control["deposit"]["confirm"]>()
      .parameter(0)
      .toEqualTypeOf<{ readonly id: string; readonly confirmations: number }>();
    expectTypeOf<Control["deposit"]["confirm"]>().returns.resolves.toHaveProperty("txHash");
    expectTypeOf<Control["product"]["halt"]>().parameter(0).toEqualTypeOf<{ readonly product: string }>();
    expectTypeOf<Control["exchange"]["list"]>().parameter(0).toExtend<{ limit?: number } | undefined>();
    expectTypeOf<Control["order"]["hold"]>().parameter(0).toEqualTypeOf<{ readonly id: string }>();
    expectTypeOf<Control["world"]["delete"]>().returns.resolves.toHaveProperty("keys");
    expectTypeOf<Control>().not.toHaveProperty("time");
    expectTypeOf<Control["client"]["credit"]>()
      .parameter(0)
      .toEqualTypeOf<{ readonly client: string; readonly asset: string; readonly amount: string }>();
  });

  it("do what their verbs do, and answer with the payload", async () => {
    await using simulator = await startSimulator({ clock: "manual" });
    const { clock, client, deposit, faults, product } = simulator.control;
    const { now } = await clock.read();
    const moved = await clock.advance({ ms: 60_000 });
    expect(Date.parse(moved.now) - Date.parse(now)).toBe(60_000);
    expect((await clock.run()).mode).toBe("real");
    expect(await client.credit({ client: "alice", asset: "USD", amount: "5" })).toMatchObject({
      amount: "5",
    });
    const { id, status } = await deposit.create({ client: "alice", asset: "BTC", amount: "1" });
    expect(status).toBe("PENDING");
    expect((await deposit.confirm({ id, confirmations: 1 })).status).toBe("PENDING");
    expect((await deposit.fail({ id })).status).toBe("FAILED");
    expect(await product.halt({ product: "BTC-USD" })).toMatchObject({ halted: true });
    await faults.set({ rules: [{ id: "one", fault: { kind: "neverSync" } }] });
    expect(await faults.read()).toMatchObject({ rules: [{ id: "one" }] });
  });

  it("throw a refusal with its code and details", async () => {
    await using simulator = await startSimulator({ clock: "real" });
    const refused = await simulator.control.clock.advance({ ms: 1 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ControlRefusal);
    expect(refused).toMatchObject({
      status: 409,
      code: "CLOCK_IS_REAL",
      message: /freeze it first/ as never,
    });
  });

  it("reach nested members by their own names", async () => {
    await using simulator = await startSimulator({ clock: "manual" });
    const until = simulator.control.clock.untilPrice({ product: "BTC-USD", price: "1", withinMs: 5 });
    await expect(until).rejects.toMatchObject({ code: "CONDITION_NOT_MET" });
  });
});
