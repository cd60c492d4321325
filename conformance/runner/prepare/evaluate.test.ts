import { describe, expect, it } from "vitest";
import { generatorProblem } from "../../check/generator-rules.ts";
import { plainProfile } from "../../parse/profile.ts";
import { Evaluator } from "./evaluate.ts";
import { Market } from "./market.ts";
import { Scope } from "./scope.ts";

const profile = plainProfile("http://127.0.0.1:1/api/v1/trading", "key", "secret");
if (typeof profile === "string") throw new Error(profile);
const random = { seed: 1, salt: "run", caseId: "case", now: () => 0 };
const evaluator = new Evaluator(random, new Market(profile, [], new Map()), {}, false);
const uuid = "3b241101-e2bb-4255-8caf-4136c566a96f";
const neighbour = (at: number) => evaluator.value({ $uuid: { like: uuid, at } }, new Scope({}, {}));

describe("a UUID like another", () => {
  it("differs in one digit, and is the same each time", () => {
    expect(neighbour(0)).toBe("4b241101-e2bb-4255-8caf-4136c566a96f");
    expect(neighbour(35)).toBe("3b241101-e2bb-4255-8caf-4136c566a960");
    expect(neighbour(35)).toBe(neighbour(35));
  });

  it("stays one of its kind: hyphens and version are not for changing", () => {
    const problems = [0, 35].map((at) => generatorProblem("$uuid", { like: uuid, at }));
    expect(problems).toEqual([undefined, undefined]);
    for (const at of [8, 14, 19, 36, -1])
      expect(generatorProblem("$uuid", { like: uuid, at })).toContain("like: uuid");
  });
});
