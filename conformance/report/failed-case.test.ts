import { describe, expect, it } from "vitest";
import { htmlReport } from "./html/page.ts";
import type { ReportedFinding } from "./report.ts";
import { elementsOf } from "./testing/readers.ts";
import { row, sampleReport } from "./testing/sample-report.ts";

const answer = {
  statusCode: 200,
  message: "Order placed",
  data: { message: "in part", order: { price: "1.10", fills: [{ price: "1.20" }, { price: "1.30" }] } },
};

/** The page of a case whose one answer shows these differences. */
function pageOf(
  differences: readonly Partial<ReportedFinding>[],
  body: unknown = answer,
  isShownBy: Partial<ReportedFinding> = {},
) {
  const [sample] = sampleReport().cases.flatMap(({ trace }) => trace?.exchanges ?? []);
  const [finding] = sampleReport().cases.flatMap(({ findings }) => findings);
  if (sample?.detail === undefined || finding === undefined) throw new Error("the sample has no failed case");
  const text = JSON.stringify(body);
  const replyBody = { text, bytes: text.length, cut: false, base64: false };
  const exchange = { ...sample, step: "place", detail: { ...sample.detail, replyBody } };
  const findings = differences.map((difference) => ({
    ...finding,
    step: "place",
    request: `${exchange.method} ${exchange.path}`,
    ...isShownBy,
    ...difference,
  }));
  const trace = {
    omitted: 0,
    exchanges: [{ ...exchange, step: "before" }, exchange, { ...exchange, attempt: 2 }],
  };
  const page = htmlReport(
    sampleReport("plain", { cases: [row("odd", "failed", { findings, trace })], ambient: [] }),
  );
  const elements = elementsOf(page);
  const texts = (name: string) => elements.filter((one) => one.name === name).map((one) => one.text);
  return { page, elements, texts };
}

describe("the case that failed", () => {
  it.each([
    ["/data/order/price", '"1.10"', ['"price": "1.10",']],
    ["order/price", '"1.10"', ['"price": "1.10",']],
    ["/data/order/fills/1/price", '"1.30"', ['"price": "1.30"']],
    ["/data/order/fills/*/price", '"1.20"', ['"price": "1.20"']],
    [
      "/data/order/fills",
      "2 items",
      ['"fills": [', "{", '"price": "1.20"', "},", "{", '"price": "1.30"', "}", "]"],
    ],
    ["/data/order/gone", "(missing)", []],
    ["status", "401", ["401"]],
    ["headers/server", "plain", ["Server: plain"]],
  ])("marks %s in the answer", (pointer, actual, marked) => {
    expect(pageOf([{ pointer, actual }]).texts("mark")).toEqual(marked);
  });

  it("shows request, answer and difference of the last try side by side, and of no other exchange", () => {
    const { elements, page } = pageOf([{ pointer: "status" }, { pointer: "/data/order/price" }]);
    const open = elements.filter(
      ({ attributes }) => attributes["class"] === "exchange" && attributes["open"] !== undefined,
    );
    expect(open.map(({ text }) => text.slice(0, 60).includes("attempt 2"))).toEqual([true]);
    expect(open[0]?.text).toMatch(/Request.*Answer.*Difference.*at.*status.*at.*price.*As curl/s);
    expect(page.match(/<h4>Difference<\/h4>/g)).toHaveLength(1);
  });

  it("blames no exchange where it may have been another one", () => {
    const { texts } = pageOf([{ pointer: "status" }], answer, { request: "GET /elsewhere" });
    expect([texts("h4").filter((text) => text === "Difference"), texts("mark")]).toEqual([[], []]);
    expect(texts("dd")).toContain("status");
  });

  it.each([
    [answer, "Order placed: in part"],
    [{ code: "LOW", message: ["too low", "too late"] }, "LOW: too low: too late"],
    [{ error: { code: "LOW", message: "<b>too low" } }, "LOW: <b>too low"],
  ])("lets the target say %j in its own words", (body, words) => {
    expect(pageOf([{ pointer: "status", said: "once" }], body).texts("blockquote")).toContain(words);
  });

  it("is below the verdict and its likely cause, which come before the counts", () => {
    const { page } = pageOf([{ pointer: "status" }]);
    const places = ["<h1>", "Look here first", "Run it again", "Cases by outcome", "Violated clauses"];
    const found = places.map((text) => page.indexOf(text));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found).not.toContain(-1);
  });
});
