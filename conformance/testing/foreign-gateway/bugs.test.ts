import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../../../tools/sampled.ts";
import { packageRoot } from "../../package-root.ts";
import { incidents } from "../../parse/incidents.ts";
import type { Bug } from "./bug.ts";
import { bugs, startGateway } from "./bugs.ts";
import { Caller } from "./caller.ts";
import { isIn, Site } from "./site.ts";

/** Whether a gateway with these bugs gives the trial what it looks for. */
async function shown(trial: Bug["shows"], ...installed: readonly string[]): Promise<boolean> {
  await using gateway = await startGateway(...installed);
  const callers: Caller[] = [];
  const site = new Site((role) => {
    const caller = new Caller(gateway, role);
    callers.push(caller);
    return caller;
  });
  try {
    return await trial(site);
  } finally {
    for (const caller of callers) caller.close();
  }
}

/** A plain order, from its placing to its cancel. */
const serves: Bug["shows"] = async ({ trader }) => {
  const placed = await trader.place();
  const isOpen = isIn(await trader.get("/order/open"), placed);
  const { order } = await trader.cancel(placed);
  return isOpen && order["status"] === "CANCELLED" && order["id"] === placed.order["id"];
};

describe("the bugs of the foreign gateway", () => {
  it.each(sampled(14, bugs))("$id: $says", async ({ id, shows }) => {
    expect(await shown(shows)).toBe(false);
    // A bug that needs two requests at the same time does not show in each round, less often on a loaded machine.
    let isShown = await shown(shows, id);
    for (let round = 1; !isShown && round < 20; round++) isShown = await shown(shows, id);
    expect(isShown).toBe(true);
    expect(await shown(serves, id)).toBe(true);
  });

  it("are 402, 340 of them hard at least, and cite clauses that exist", () => {
    const numbers = bugs.map(({ id }) => id).toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
    expect(numbers).toEqual(Array.from({ length: 402 }, (_, at) => `F-${String(at + 1).padStart(2, "0")}`));
    expect(bugs.filter(({ hard }) => hard).length).toBeGreaterThanOrEqual(340);
    const { clauses } = JSON.parse(
      readFileSync(path.join(packageRoot(), "fixtures/spec/clauses.json"), "utf8"),
    ) as { clauses: { id: string }[] };
    const ids = clauses.map(({ id }) => id);
    expect(bugs.flatMap((bug) => bug.clauses.filter((id) => !ids.includes(id)))).toEqual([]);
  });

  it("break a clause of each incident that they are", () => {
    const clausesOf = new Map(bugs.map(({ id, clauses }) => [id, clauses]));
    const planted = incidents().list.filter((incident) => incident.planted?.startsWith("F-"));
    expect(planted.length).toBeGreaterThanOrEqual(97);
    const apart = planted.filter(
      ({ clauses, planted: id = "" }) => !clausesOf.get(id)?.some((clause) => clauses.includes(clause)),
    );
    expect(apart).toEqual([]);
  });
});
