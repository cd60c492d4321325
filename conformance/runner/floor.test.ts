import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Floor } from "./floor.ts";
import { canShare, type Task } from "./schedule.ts";

const task = (id: string, parts: Partial<Task> = {}): Task => ({
  id,
  safety: "rests",
  isolation: "shared",
  alone: false,
  orders: true,
  clients: new Set(["A"]),
  products: new Set(["BTC-USD"]),
  ...parts,
});

/** A floor on which everybody stays until told to go. */
class Occupied {
  readonly running = new Map<string, { readonly task: Task; readonly go: () => void }>();
  readonly begun: string[] = [];
  readonly #floor: Floor;
  readonly visits: Promise<void>[] = [];

  constructor(limit: number, tasks: readonly Task[]) {
    this.#floor = new Floor(limit);
    for (const one of tasks) this.come(one);
  }

  come(one: Task): void {
    const visit = this.#floor.visit(one, async () => {
      this.begun.push(one.id);
      await new Promise<void>((go) => this.running.set(one.id, { task: one, go }));
      this.running.delete(one.id);
    });
    this.visits.push(visit);
  }

  async end(id: string): Promise<void> {
    this.running.get(id)?.go();
    await turn();
    await turn();
  }
}

describe("the floor", () => {
  it("lets in as many as it has room for, in the order in which they came", async () => {
    const floor = new Occupied(
      2,
      ["a", "b", "c"].map((id) => task(id)),
    );
    await turn();
    expect([...floor.running.keys()]).toEqual(["a", "b"]);
    await floor.end("a");
    expect([...floor.running.keys()]).toEqual(["b", "c"]);
  });

  it("begins nothing that what is isolated and waits would have to wait for", async () => {
    const floor = new Occupied(4, [task("a"), task("product", { isolation: "product" })]);
    floor.come(task("same"));
    floor.come(task("elsewhere", { products: new Set(["ETH-USD"]) }));
    await turn();
    expect(floor.begun).toEqual(["a", "elsewhere"]);
    await floor.end("a");
    expect(floor.begun).toEqual(["a", "elsewhere", "product"]);
    await floor.end("product");
    expect(floor.begun.at(-1)).toBe("same");
  });

  it("keeps a part of its places empty beside what is isolated, which would stand in line behind all of them", async () => {
    const others = ["a", "b", "c", "d"].map((id) => task(id, { products: new Set(["ETH-USD"]) }));
    const floor = new Occupied(10, others);
    floor.come(task("product", { isolation: "product" }));
    floor.come(task("e", { products: new Set(["ETH-USD"]) }));
    await turn();
    expect(floor.begun).toEqual(["a", "b", "c", "d", "product"]);
    await floor.end("product");
    expect(floor.begun.at(-1)).toBe("e");
  });

  it("keeps for the end what runs beside nothing", async () => {
    const floor = new Occupied(1, [task("a"), task("race", { alone: true }), task("b")]);
    await turn();
    await floor.end("a");
    await floor.end("b");
    expect(floor.begun).toEqual(["a", "b", "race"]);
  });

  it("lets the next of a lane in before others are let in", async () => {
    const floor = new Floor(1);
    const begun: string[] = [];
    const visit = (one: Task): Promise<void> => floor.visit(one, async () => void begun.push(one.id));
    const lane = async (): Promise<void> => {
      await visit(task("first", { isolation: "product" }));
      await visit(task("second", { isolation: "product" }));
    };
    await Promise.all([lane(), visit(task("other"))]);
    expect(begun).toEqual(["first", "second", "other"]);
  });

  it("gives back the place of who fails", async () => {
    const floor = new Floor(1);
    const failing = floor.visit(task("a"), () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    await expect(floor.visit(task("b"), async () => "done")).resolves.toBe("done");
  });

  it("lets everybody in once, and never two that exclude each other", async () => {
    const drawn = fc.record({
      isolation: fc.constantFrom("shared" as const, "account" as const, "product" as const),
      alone: fc.boolean(),
      orders: fc.boolean(),
      products: fc.constantFrom(undefined, new Set(["BTC-USD"]), new Set(["ETH-USD"])),
      clients: fc.subarray(["A", "B"]).map((names) => new Set(names)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawn, { maxLength: 15 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat()),
        async (parts, limit, choices) => {
          const floor = new Occupied(
            limit,
            parts.map((one, index) => task(String(index), one)),
          );
          await turn();
          while (floor.running.size > 0) {
            const running = [...floor.running.values()].map((one) => one.task);
            expect(running.length).toBeLessThanOrEqual(limit);
            for (const one of running)
              for (const other of running) if (one !== other) expect(canShare(one, other)).toBe(true);
            await floor.end(running[(choices.next().value ?? 0) % running.length]?.id ?? "");
          }
          await Promise.all(floor.visits);
          expect(floor.begun.length).toBe(parts.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});
