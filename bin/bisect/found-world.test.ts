import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startSimulator } from "../../simulator/index.ts";
import { triesAll } from "../../tools/sampled.ts";
import { worldOf, worldText } from "./found-world.ts";
import { pointsOf } from "./points.ts";

describe("the world of some points", () => {
  it("is the same as a value and as text, and the simulator takes it, for a hundred seeds", async () => {
    await using simulator = await startSimulator();
    const met = new Set<string>();
    for (let seed = 1; seed <= 100; seed += 1) {
      const points = pointsOf(seed);
      expect(pointsOf(seed)).toEqual(points);
      const isNew = points.some(({ id }) => !met.has(id));
      for (const { id } of points) met.add(id);
      const text = worldText(points, "node my-client.js");
      expect(parse(text)).toEqual(worldOf(points));
      // Each point is in one of the worlds that are opened.
      if (!isNew && !triesAll) continue;
      await using world = await simulator.world({ world: worldOf(points) });
      expect(world.keys.length).toBeGreaterThan(3);
    }
    // Every fault of the menu, and freedoms besides.
    expect([...met].filter((id) => !id.startsWith("F-")).length).toBe(14);
    expect([...met].filter((id) => id.startsWith("F-")).length).toBeGreaterThan(35);
  });

  it("has a sentence for each line", () => {
    const lines = worldText(pointsOf(7), "node x.js").split("\n");
    const ofPoints = lines.filter((line) => /^ {2}(?:F-|- )/.test(line));
    expect(ofPoints.length).toBe(pointsOf(7).length);
    for (const line of ofPoints) expect(lines[lines.indexOf(line) - 1]).toMatch(/^ {2}# .{15,}/);
  });
});
