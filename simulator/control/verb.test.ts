import { describe, expect, it } from "vitest";
import { allControls } from "./all-controls.ts";
import { controlVerbs } from "./library.ts";

const verbs = controlVerbs();
const verbOf = (words: string) => {
  const found = verbs.find((verb) => verb.words === words);
  if (found === undefined) throw new Error(`there is no verb ${words}`);
  return found;
};

describe("the verbs of the controls", () => {
  it("are there for every control but the second spelling of another", () => {
    const without = allControls.filter((route) => route.verbs === undefined);
    expect(without.map(({ operationId }) => operationId).toSorted()).toEqual([
      "changeSettingsByPost",
      "setFaultsByPost",
    ]);
  });

  it("differ in their words", () => {
    expect(new Set(verbs.map(({ words }) => words)).size).toBe(verbs.length);
  });

  const rows = allControls.flatMap((route) =>
    (route.verbs ?? []).flatMap(({ words, fixed = {}, file }) =>
      route.body === undefined || file === true ? [] : [{ words, fixed, body: route.body.example as object }],
    ),
  );
  it.each(rows)("make the example of the control from texts: $words", ({ words, fixed, body }) => {
    const { args, flags, call } = verbOf(words);
    const names = [...args, ...flags].map(({ name }) => name);
    const given = Object.entries(body).filter(([name]) => names.includes(name) && !(name in fixed));
    const values = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    expect(call({ client: "a/b", ...values })).toMatchObject({
      body: { ...Object.fromEntries(given), ...fixed },
    });
  });
});

describe("a value on the command line", () => {
  it.each([
    ["60000", 60_000],
    ["250ms", 250],
    ["90s", 90_000],
    ["1m", 60_000],
    ["2h", 7_200_000],
    ["1h30m", 5_400_000],
    ["1d", 86_400_000],
    ["soon", "soon"],
    ["-1m", "-1m"],
    ["1.5h", "1.5h"],
  ])("that is a duration may have a unit: %s", (text, sent) => {
    expect(verbOf("clock advance").call({ advanceMs: text }).body).toEqual({ advanceMs: sent });
  });

  it.each(["90", "1h30", "1.5h", "soon", "-1m", ""])(
    "that is a duration needs a unit as it is typed: %j",
    (text) => {
      const { mistakeIn } = verbOf("clock advance");
      expect(mistakeIn({ advanceMs: text })).toBe(
        `DURATION must be a duration with its unit, such as 500ms, 30s, 2m, 1h30m or 1d, was ${JSON.stringify(text)}`,
      );
      expect(mistakeIn({ advanceMs: "1h30m" })).toBeUndefined();
    },
  );

  it("that is a decimal stays a text, and a number becomes one", () => {
    const { call } = verbOf("deposit create");
    const values = { client: "alice", asset: "BTC", amount: "0.50", confirmations: "3" };
    expect(call(values)).toEqual({
      path: "/clients/alice/deposits",
      body: { asset: "BTC", amount: "0.50", confirmations: 3 },
    });
  });

  it("cannot lead out of its place in the path", () => {
    expect(verbOf("order expire").call({ id: "../../clock?x=1#y" }).path).toBe(
      "/orders/..%2F..%2Fclock%3Fx%3D1%23y/expire",
    );
  });
});
