/** `gatewright why` against a sandbox, as it is typed. */
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ControlledSimulator, startSimulator } from "../../simulator/index.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

let simulator: ControlledSimulator;
let place = "";
let requestId = "";
const said = captureOutput();

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "why-"));
  simulator = await startSimulator();
  writeFileSync(path.join(place, "ready.json"), JSON.stringify(simulator.readyLine()));
  const refused = await fetch(`${simulator.baseUrl}/order/open`);
  requestId = refused.headers.get("x-request-id") ?? "";
});
afterAll(async () => {
  await simulator.close();
  rmSync(place, { recursive: true });
});

const why = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", "why", "--ready-file", path.join(place, "ready.json"), ...words], "1.0.0");

it("prints one fact a line", async () => {
  expect(await why(requestId)).toBe(0);
  expect(said.output.trim().split("\n")).toEqual([
    `Request ${requestId}`,
    expect.stringMatching(/^ {14}RECEIVED {12}A key that no world knows sent GET /),
    expect.stringMatching(
      /REFUSED {13}It was refused with 401 MISSING_CREDENTIALS: the check that failed is /,
    ),
  ]);
});

it("shows both texts of a wrong signature, with the first line that differs", async () => {
  const [key] = simulator.keys;
  const [timestamp, nonce] = [String(Date.now()), randomUUID()];
  const lines = (method: string): string =>
    [timestamp, nonce, method, new URL(simulator.baseUrl).pathname, "application/json", ""].join("\n");
  const refused = await fetch(`${simulator.baseUrl}/order/open`, {
    headers: {
      "x-api-key": key?.keyId ?? "",
      "x-api-timestamp": timestamp,
      "x-api-nonce": nonce,
      "x-api-signature": createHmac("sha256", key?.secret ?? "")
        .update(lines("get").replace(/\n$/, `\n${emptyHash}`).replace("trading", "trading/order/open"))
        .digest("hex"),
    },
  });
  expect(await why(refused.headers.get("x-request-id") ?? "")).toBe(0);
  expect(said.output).toMatch(/SIGNATURE {11}The signature matches if the method is signed in lower case\./);
  expect(said.output).toContain(`to be signed\n${" ".repeat(18)}${timestamp}\\n`);
  expect(said.output).toContain(`${" ".repeat(16)}> GET\\n`);
  expect(said.output).toContain(`${" ".repeat(16)}> get\\n`);
  expect(said.output).toContain("The first difference is in line 3, at byte 51.");
});

it("gives the answer as JSON, and ends with 1 for what it does not know", async () => {
  expect(await why(requestId, "--json")).toBe(0);
  expect(JSON.parse(said.output)).toMatchObject({ subject: { kind: "request", id: requestId } });
  expect(await why("nothing")).toBe(1);
  expect(said.errors).toMatch(
    /There is no order or request nothing.* another world: gatewright why ID --world NAME/,
  );
  expect(await why(requestId, "--world", "mian")).toBe(1);
  expect(said.errors).toContain("mian");
});
