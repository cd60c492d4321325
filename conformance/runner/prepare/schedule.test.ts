import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safetyClasses } from "../../model/profile.ts";
import { canShare, Schedule, type Task } from "./schedule.ts";

const task = (id: string, { safety = "rests", ...parts }: Partial<Task> = {}): Task => ({
  id,
  safety,
  isolation: "shared",
  alone: false,
  orders: safety !== "read" && safety !== "reject-only",
  clients: new Set(["A"]),
  products: new Set(["BTC-USD"]),
  ...parts,
});

/** Would one of the two exclude the other, even if neither had to run alone? */
const isolated = (one: Task, other: Task): boolean =>
  !canShare(
    { ...one, alone: false, isolation: quiet(one) },
    { ...other, alone: false, isolation: quiet(other) },
  );

const quiet = ({ isolation }: Task): Task["isolation"] => (isolation === "exclusive" ? "shared" : isolation);

/** All tasks that may begin now. */
function begin(schedule: Schedule<Task>): string[] {
  const begun: string[] = [];
  for (let next = schedule.next(); next !== undefined; next = schedule.next()) begun.push(next.id);
  return begun;
}

describe("the schedule", () => {
  it("runs as many as it may, in the given order", () => {
    const tasks = ["a", "b", "c", "d"].map((id) => task(id));
    const schedule = new Schedule(tasks, 3);
    expect(begin(schedule)).toEqual(["a", "b", "c"]);
    schedule.finished(tasks[1] as Task);
    expect(begin(schedule)).toEqual(["d"]);
  });

  it("begins no class before the one before it is done", () => {
    const [rests, read] = [task("rests"), task("read", { safety: "read" })];
    const schedule = new Schedule([rests, read], 8);
    expect(begin(schedule)).toEqual(["read"]);
    schedule.finished(read);
    expect(begin(schedule)).toEqual(["rests"]);
  });

  it("runs a race alone", () => {
    const race = task("race", { alone: true });
    const schedule = new Schedule([task("a"), race, task("b")], 8);
    expect(begin(schedule)).toEqual(["a", "b"]);
  });

  it("lets the next class begin while a task sleeps, and names it again before anything new", () => {
    const [sleeper, race, rests] = [
      task("sleeper", { safety: "read" }),
      task("race", { safety: "read", alone: true }),
      task("rests"),
    ];
    const schedule = new Schedule([sleeper, race, rests, task("more")], 1);
    expect(begin(schedule)).toEqual(["sleeper"]);
    schedule.fallsAsleep(sleeper);
    expect(begin(schedule)).toEqual(["race"]);
    schedule.finished(race);
    expect(begin(schedule)).toEqual(["rests"]);
    schedule.wakesUp(sleeper);
    expect(begin(schedule)).toEqual([]);
    schedule.finished(rests);
    expect(begin(schedule)).toEqual(["sleeper"]);
    schedule.finished(sleeper);
    expect(begin(schedule)).toEqual(["more"]);
  });

  it("keeps away from a sleeper what is isolated from it", () => {
    const [sleeper, isolated] = [task("sleeper"), task("isolated", { isolation: "product" })];
    const schedule = new Schedule([sleeper, isolated], 8);
    expect(begin(schedule)).toEqual(["sleeper"]);
    schedule.fallsAsleep(sleeper);
    expect(begin(schedule)).toEqual([]);
    schedule.wakesUp(sleeper);
    expect(begin(schedule)).toEqual(["sleeper"]);
    schedule.finished(sleeper);
    expect(begin(schedule)).toEqual(["isolated"]);
  });

  it("lets all others pass what a sleeper keeps away", () => {
    const [sleeper, isolated] = [task("sleeper"), task("isolated", { isolation: "product" })];
    const others = ["a", "b", "c"].map((id) => task(id, { products: new Set(["ETH-USD"]) }));
    const schedule = new Schedule([sleeper, isolated, ...others, task("trade", { safety: "trades" })], 1);
    expect(begin(schedule)).toEqual(["sleeper"]);
    schedule.fallsAsleep(sleeper);
    for (const other of others) {
      expect(begin(schedule)).toEqual([other.id]);
      schedule.finished(other);
    }
    expect(begin(schedule)).toEqual([]);
    schedule.wakesUp(sleeper);
    expect(begin(schedule)).toEqual(["sleeper"]);
    schedule.finished(sleeper);
    expect(begin(schedule)).toEqual(["isolated"]);
  });

  it("lets what has begun come to its end when it is closed, and nothing else", () => {
    const sleeper = task("sleeper");
    const schedule = new Schedule([sleeper, task("never")], 1);
    begin(schedule);
    schedule.fallsAsleep(sleeper);
    schedule.close();
    expect(begin(schedule)).toEqual([]);
    schedule.wakesUp(sleeper);
    expect(begin(schedule)).toEqual(["sleeper"]);
  });

  it("lets a waiting task be passed only so often", () => {
    const tasks = [task("a"), task("race", { alone: true }), ...["b", "c", "d"].map((id) => task(id))];
    const schedule = new Schedule(tasks, 2);
    expect(begin(schedule)).toEqual(["a", "b"]);
    schedule.finished(tasks[0] as Task);
    expect(begin(schedule)).toEqual(["c"]);
    schedule.finished(tasks[2] as Task);
    expect(begin(schedule)).toEqual([]);
    schedule.finished(tasks[3] as Task);
    expect(begin(schedule)).toEqual(["race"]);
  });

  it.each([
    ["an account case and another order of the client", { isolation: "account" }, {}, false],
    [
      "an account case and an order of another client",
      { isolation: "account" },
      { clients: new Set(["B"]) },
      true,
    ],
    ["an account case and a read", { isolation: "account" }, { safety: "read" }, true],
    [
      "a product case and an order of another client",
      { isolation: "product" },
      { clients: new Set(["B"]) },
      false,
    ],
    [
      "a product case and an order elsewhere",
      { isolation: "product" },
      { products: new Set(["ETH-USD"]) },
      true,
    ],
    [
      "a product case and an order that may be anywhere",
      { isolation: "product" },
      { products: undefined },
      false,
    ],
    ["an exclusive case and a read", { isolation: "exclusive" }, { safety: "read" }, false],
    ["two shared cases", {}, {}, true],
  ] as const)("keeps apart what disturbs itself: %s", (_, one, other, together) => {
    expect(canShare(task("one", one), task("other", other))).toBe(together);
    expect(canShare(task("other", other), task("one", one))).toBe(together);
  });

  it("runs every task exactly once and never two that exclude each other, in any order of their ends", () => {
    const tasks = fc.array(
      fc.record({
        safety: fc.constantFrom(...safetyClasses),
        isolation: fc.constantFrom(
          "shared" as const,
          "account" as const,
          "product" as const,
          "exclusive" as const,
        ),
        alone: fc.boolean(),
        orders: fc.boolean(),
        products: fc.constantFrom(undefined, new Set(["BTC-USD"]), new Set(["ETH-USD"])),
        clients: fc.subarray(["A", "B", "C"]).map((names) => new Set(names)),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(
        tasks,
        fc.integer({ min: 1, max: 8 }),
        fc.infiniteStream(fc.nat()),
        (drawn, limit, choices) => {
          const all = drawn.map((parts, index) => ({ id: String(index), ...parts }));
          const schedule = new Schedule<Task>(all, limit);
          const running: Task[] = [];
          const asleep: Task[] = [];
          const begun: Task[] = [];
          const ended: Task[] = [];
          const oneOf = (from: Task[]): Task =>
            from.splice((choices.next().value ?? 0) % from.length, 1)[0] as Task;
          while (ended.length < all.length) {
            for (let next = schedule.next(); next !== undefined; next = schedule.next()) {
              for (const other of running) expect(canShare(next, other)).toBe(true);
              for (const other of asleep) expect(isolated(next, other)).toBe(false);
              running.push(next);
              if (!begun.includes(next)) begun.push(next);
            }
            expect(running.length + asleep.length).toBeGreaterThan(0);
            expect(running.length).toBeLessThanOrEqual(limit);
            const choice = (choices.next().value ?? 0) % 4;
            if (asleep.length > 0 && (running.length === 0 || choice === 0)) schedule.wakesUp(oneOf(asleep));
            else if (choice === 1) {
              const over = oneOf(running);
              schedule.fallsAsleep(over);
              asleep.push(over);
            } else {
              const over = oneOf(running);
              schedule.finished(over);
              ended.push(over);
            }
          }
          expect(ended.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
          const stages = begun.map(({ safety }) => safetyClasses.indexOf(safety));
          expect(stages).toEqual(stages.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 200 },
    );
  });
});
