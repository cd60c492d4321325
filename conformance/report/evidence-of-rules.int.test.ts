import { expect, it } from "vitest";
import { conform } from "../conform.ts";
import { jsonText } from "../model/printable.ts";
import { startGateway } from "../testing/foreign-gateway/bugs.ts";
import { profile } from "../testing/foreign-gateway/profile.ts";
import { consoleReport } from "./console.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { ndjsonReport } from "./ndjson.ts";
import { tapReport } from "./tap.ts";

/** What any format makes of the same text. */
const plain = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">")
    .replaceAll("\\", "")
    .replace(/\s+/g, "");

it("shows for a broken rule of every reply, in every format, the two exchanges, case, step and command", async () => {
  await using gateway = await startGateway("F-165");
  const report = await conform({
    ...profile(gateway),
    only: ["idempotency-020-*", "idempotency-030-*"],
    properties: "off",
    level: "full",
    expectations: false,
    seed: 1,
  });
  const rule = report.ambient.find(({ clause }) => clause === "PLC-12");
  const { evidence, again = "" } = rule ?? {};
  const asked = evidence?.exchanges.map(({ detail }) => detail?.requestBody?.text ?? "") ?? [];
  expect(evidence?.case).toBe("idempotency-020-repeat-with-other-contents");
  expect(asked).toHaveLength(2);
  expect(asked.map((body) => (JSON.parse(body) as Record<string, unknown>)["client_order_id"])).toEqual(
    Array(2).fill((JSON.parse(asked[0] ?? "") as Record<string, unknown>)["client_order_id"]),
  );
  expect(again).toContain("--only 'idempotency-020-repeat-with-other-contents' --seed 1");
  const formats = {
    screen: consoleReport(report),
    html: htmlReport(report),
    junit: junitReport(report),
    markdown: markdownReport(report),
    tap: tapReport(report),
    ndjson: ndjsonReport(report),
    json: jsonText(report),
  };
  for (const [format, text] of Object.entries(formats))
    for (const part of [evidence?.case ?? "", evidence?.step ?? "", again, ...asked])
      expect([format, part, plain(text).includes(plain(part))]).toEqual([format, part, true]);
});
