import { describe, expect, it } from "vitest";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import type { Report } from "./report.ts";
import { elementsOf } from "./testing/readers.ts";
import { sampleReport } from "./testing/sample-report.ts";

/** The sample report with this body in the first reply. */
function replying(text: string, changes: { readonly cut?: boolean } = {}): Report {
  const sample = sampleReport("plain", { ambient: [] });
  const body = { text, bytes: text.length, cut: false, base64: false, ...changes };
  const cases = sample.cases.map((row) => {
    if (row.trace === undefined) return row;
    const exchanges = row.trace.exchanges.map((exchange, index) =>
      index > 0 || exchange.detail === undefined
        ? exchange
        : { ...exchange, detail: { ...exchange.detail, replyBody: body } },
    );
    return { ...row, trace: { ...row.trace, exchanges } };
  });
  return { ...sample, cases };
}

/** The body in the page and in the text of a JUnit failure. */
function shown(report: Report): [string, string] {
  const replies = elementsOf(htmlReport(report)).filter(
    ({ name, text }) => name === "pre" && text.startsWith("401"),
  );
  const page = replies[0]?.text.replace(/^.*\n\n/, "") ?? "";
  const junit = junitReport(report);
  return [page, junit.includes(page) ? page : junit];
}

const laidOut = '{\n  "a": 1.10,\n  "b": [\n    1e2,\n    {}\n  ],\n  "c": "x, [y] : {z}"\n}'.replaceAll(
  '"',
  "'",
);
const spelled = (text: string): string => text.replaceAll('"', "'").replaceAll("&quot;", "'");

describe("JSON of a trace", () => {
  it.each([
    ["without blanks", '{"a":1.10,"b":[1e2,{}],"c":"x, [y] : {z}"}'],
    ["with blanks", '{ "a" : 1.10, "b": [ 1e2 , { } ],\t"c": "x, [y] : {z}" } '],
    ["over lines", '{\r\n "a":\n1.10,\n\n\n"b": [1e2,{\n}],"c"\n: "x, [y] : {z}"}\n'],
  ])("is shown the same way, %s", (_, text) => {
    expect(shown(replying(text)).map(spelled)).toEqual([laidOut, laidOut]);
  });

  it.each(["{ not JSON: 1 }", '{"a": [1, 2}', "plain, text"])(
    "stays as it is where it is none: %s",
    (text) => {
      expect(shown(replying(text))[0]).toBe(text);
    },
  );

  it("stays as it is where it was cut", () => {
    expect(shown(replying('{"a":1}', { cut: true }))[0]).toBe('{"a":1}');
  });

  it("does not grow without bound by its depth", () => {
    const deep = "[".repeat(2000) + "]".repeat(2000);
    expect(htmlReport(replying(deep)).length).toBeLessThan(1_000_000);
  });
});
