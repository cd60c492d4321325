import { expect, it } from "vitest";
import type { SentRequest } from "../model/exchange.ts";
import { Placements } from "./placements.ts";

const request = (path: string): SentRequest => ({
  method: "POST",
  path,
  headers: [],
  body: new Uint8Array(),
  role: "trader",
});

it("judges a message after the answers that were to come, in any order of the answers", () => {
  const [placements, judged] = [new Placements(), [] as string[]];
  const judge = (name: string) => placements.afterwards(() => judged.push(name));
  const [one, two, three] = ["one", "two", "three"].map(request) as [SentRequest, SentRequest, SentRequest];
  judge("at once");
  placements.sent(one, []);
  judge("after one");
  placements.sent(two, []);
  judge("after two");
  placements.sent(three, []);
  expect(judged).toEqual(["at once"]);
  placements.answered(two);
  expect(judged).toEqual(["at once"]);
  placements.answered(one);
  expect(judged).toEqual(["at once", "after one", "after two"]);
  judge("after three");
  placements.answered(three);
  expect(judged.at(-1)).toBe("after three");
});

it("counts a request that is sent twice as two", () => {
  const [placements, again] = [new Placements(), request("again")];
  for (let times = 0; times < 2; times += 1) placements.sent(again, ["A-b"]);
  placements.answered(again);
  expect(placements.isUnderWay("a-b")).toBe(true);
  placements.answered(again);
  expect(placements.isUnderWay("a-b")).toBe(false);
});

it("keeps no more than five thousand messages, and then judges the oldest", () => {
  const [placements, judged] = [new Placements(), [] as number[]];
  placements.sent(request("silence"), []);
  for (let count = 1; count <= 5003; count += 1) placements.afterwards(() => judged.push(count));
  expect(judged).toEqual([1, 2, 3]);
});
