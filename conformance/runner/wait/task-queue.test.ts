import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canShare, type Task } from "../prepare/schedule.ts";
import { TaskQueue } from "./task-queue.ts";

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

/** A queue whose tasks run until the test releases them. */
class Occupied {
  readonly running = new Map<string, { readonly task: Task; readonly go: () => void }>();
  readonly begun: string[] = [];
  readonly #queue: TaskQueue;
  readonly visits: Promise<void>[] = [];

  constructor(limit: number, tasks: readonly Task[]) {
    this.#queue = new TaskQueue(limit);
    for (const one of tasks) this.come(one);
  }

  come(one: Task): void {
    const run = this.#queue.run(one, async () => {
      this.begun.push(one.id);
      await new Promise<void>((go) => this.running.set(one.id, { task: one, go }));
      this.running.delete(one.id);
    });
    this.visits.push(run);
  }

  async end(id: string): Promise<void> {
    this.running.get(id)?.go();
    await turn();
    await turn();
  }
}

describe("the queue", () => {
  it("lets in as many as it has room for, in the order in which they came", async () => {
    const queue = new Occupied(
      2,
      ["a", "b", "c"].map((id) => task(id)),
    );
    await turn();
    expect([...queue.running.keys()]).toEqual(["a", "b"]);
    await queue.end("a");
    expect([...queue.running.keys()]).toEqual(["b", "c"]);
  });

  it("begins nothing that what is isolated and waits would have to wait for", async () => {
    const queue = new Occupied(10, [task("a"), task("product", { isolation: "product" })]);
    queue.come(task("same"));
    queue.come(task("elsewhere", { products: new Set(["ETH-USD"]) }));
    await turn();
    expect(queue.begun).toEqual(["a", "elsewhere"]);
    await queue.end("a");
    expect(queue.begun).toEqual(["a", "elsewhere", "product"]);
    await queue.end("product");
    expect(queue.begun.at(-1)).toBe("same");
  });

  it("keeps nothing free for a task that waits for an isolated one anyway", async () => {
    const both = new Set(["BTC-USD", "ETH-USD"]);
    const queue = new Occupied(20, [task("first", { isolation: "product" })]);
    queue.come(task("wide", { isolation: "product", products: both }));
    queue.come(task("second", { isolation: "product", products: new Set(["ETH-USD"]) }));
    queue.come(task("elsewhere", { products: new Set(["SOL-USD"]) }));
    await turn();
    expect(queue.begun).toEqual(["first", "second", "elsewhere"]);
    queue.come(task("other", { products: new Set(["XRP-USD"]), clients: new Set(["B"]) }));
    await queue.end("second");
    queue.come(task("late", { products: new Set(["ETH-USD"]) }));
    await turn();
    expect(queue.begun.slice(3)).toEqual(["other", "late"]);
    await queue.end("first");
    await queue.end("late");
    expect(queue.begun.at(-1)).toBe("wide");
  });

  it("keeps a client free for a task that needs it, before one that needs a product", async () => {
    const queue = new Occupied(20, [task("a"), task("account", { isolation: "account" })]);
    queue.come(task("product", { isolation: "product", products: new Set(["ETH-USD"]) }));
    await turn();
    expect(queue.begun).toEqual(["a"]);
    await queue.end("a");
    expect(queue.begun).toEqual(["a", "account"]);
  });

  it("keeps some places empty while isolated tasks run, which would wait behind all others", async () => {
    const others = ["a", "b", "c", "d"].map((id) => task(id, { products: new Set(["ETH-USD"]) }));
    const queue = new Occupied(10, others);
    queue.come(task("product", { isolation: "product" }));
    queue.come(task("e", { products: new Set(["ETH-USD"]) }));
    await turn();
    expect(queue.begun).toEqual(["a", "b", "c", "d", "product"]);
    await queue.end("product");
    expect(queue.begun.at(-1)).toBe("e");
  });

  it("keeps for the end what runs beside nothing", async () => {
    const queue = new Occupied(1, [task("a"), task("race", { alone: true }), task("b")]);
    await turn();
    await queue.end("a");
    await queue.end("b");
    expect(queue.begun).toEqual(["a", "b", "race"]);
  });

  it("lets the next of a lane in before others are let in", async () => {
    const queue = new TaskQueue(1);
    const begun: string[] = [];
    const run = (one: Task): Promise<void> => queue.run(one, async () => void begun.push(one.id));
    const lane = async (): Promise<void> => {
      await run(task("first", { isolation: "product" }));
      await run(task("second", { isolation: "product" }));
    };
    await Promise.all([lane(), run(task("other"))]);
    expect(begun).toEqual(["first", "second", "other"]);
  });

  it("releases the place of a task that fails", async () => {
    const queue = new TaskQueue(1);
    const failing = queue.run(task("a"), () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    await expect(queue.run(task("b"), async () => "done")).resolves.toBe("done");
  });

  it("starts every task once, and never two that exclude each other", async () => {
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
          const queue = new Occupied(
            limit,
            parts.map((one, index) => task(String(index), one)),
          );
          await turn();
          while (queue.running.size > 0) {
            const running = [...queue.running.values()].map((one) => one.task);
            expect(running.length).toBeLessThanOrEqual(limit);
            for (const one of running)
              for (const other of running) if (one !== other) expect(canShare(one, other)).toBe(true);
            await queue.end(running[(choices.next().value ?? 0) % running.length]?.id ?? "");
          }
          await Promise.all(queue.visits);
          expect(queue.begun.length).toBe(parts.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});
