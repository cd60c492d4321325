/** `gatewright tail` against a sandbox, as it is typed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ControlledSimulator, startSimulator } from "../../simulator/index.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";
import { signedFetch } from "../testing/signed-fetch.ts";

let simulator: ControlledSimulator;
let place = "";
const said = captureOutput();

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "tail-"));
  simulator = await startSimulator();
  writeFileSync(path.join(place, "ready.json"), JSON.stringify(simulator.readyLine()));
  await fetch(`${simulator.baseUrl}/order/open`);
  await fetch(`${simulator.baseUrl}/nowhere`);
});
afterAll(async () => {
  await simulator.close();
  rmSync(place, { recursive: true });
});

const tail = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", "tail", "--ready-file", path.join(place, "ready.json"), ...words], "1.0.0");

const order = {
  product: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.01",
  price: "30000",
  client_order_id: "5c417ed0-0000-4000-8000-000000000001",
};

/** The order of the answer to a signed request. */
async function asTrader(method: string, route: string, body?: object): Promise<{ readonly id: string }> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const { reply } = await signedFetch(simulator, method, route, text);
  // as: an answer of the gateway about one order.
  const { data } = (await reply.json()) as { data: { id: string; order?: { id: string } } };
  return data.order ?? data;
}

it("shows what has happened, one line each, with the reason below when asked", async () => {
  expect(await tail("--no-follow")).toBe(0);
  expect(said.output.split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/ 401 {2}\? .* GET \/order\/open .* MISSING_CREDENTIALS .* req-/),
    expect.stringMatching(/ 404 .* ROUTE_NOT_FOUND /),
  ]);
  said.output = "";
  expect(await tail("--no-follow", "--why", "--status", "404")).toBe(0);
  const lines = said.output.trim().split("\n");
  expect(lines[1]).toBe("    refused by: the path and the method exist");
  expect(lines[2]).toContain("/nowhere");
  expect(lines).toHaveLength(3);
});

it("gives JSON, filtered by path", async () => {
  expect(await tail("--no-follow", "--json", "--path", "/order")).toBe(0);
  expect(said.output.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(said.output)).toMatchObject({ target: "/api/v1/trading/order/open", status: 401 });
});

it("shows what happens while it runs, and ends with the signal", async () => {
  const ended = tail("--lines", "0");
  await expect
    .poll(async () => {
      await fetch(`${simulator.baseUrl}/later`);
      return said.output;
    })
    .toContain("GET /later");
  expect(said.output).not.toContain("/nowhere");
  process.emit("SIGINT");
  expect(await ended).toBe(0);
});

it("ends with 4 where no sandbox answers", async () => {
  const gone = path.join(place, "gone.json");
  writeFileSync(
    gone,
    JSON.stringify({ ...simulator.readyLine(), controlUrl: "http://127.0.0.1:9/__gatewright" }),
  );
  expect(await main(["node", "gatewright", "tail", "--ready-file", gone], "1.0.0")).toBe(4);
});

it("shows the facts of an order below each request about it", async () => {
  const { id } = await asTrader("POST", "/order", order);
  await asTrader("POST", "/order", order);
  await asTrader("DELETE", `/order/${id}`);
  await asTrader("GET", "/order/open");
  expect(await tail("--no-follow", "--why", "--key", "trader")).toBe(0);
  const lines = said.output.trim().split("\n");
  const story = expect.stringMatching(/^ {4}ACCEPTED \d+, .*CANCELLED \d+/);
  expect(lines).toEqual([
    expect.stringContaining("POST /order "),
    story,
    expect.stringContaining("POST /order "),
    story,
    expect.stringContaining(`DELETE /order/${id}`),
    story,
    expect.stringContaining("GET /order/open"),
  ]);
  said.output = "";
  expect(await tail("--no-follow", "--why", "--json", "--path", "/order/", "--key", "trader")).toBe(0);
  expect(JSON.parse(said.output.split("\n")[0] ?? "")).toMatchObject({
    facts: expect.arrayContaining([expect.objectContaining({ code: "CANCELLED" })]),
  });
});

it("shows the facts of an order whose answer was lost", async () => {
  await expect(
    asTrader("POST", "/order", { ...order, client_order_id: "00000e05-0000-4000-8000-000000000001" }),
  ).rejects.toThrow("fetch failed");
  expect(await tail("--no-follow", "--why", "--key", "trader", "--lines", "1")).toBe(0);
  expect(said.output).toMatch(/ {2}---  .*\n {4}.*ACCEPTED \d+/);
});

it.runIf(existsSync("/proc/self/fd"))("ends when nobody reads what it shows any more", async () => {
  const launcher = fileURLToPath(new URL("../gatewright", import.meta.url));
  const words = `"$0" "$1" tail --ready-file "$2" --lines 5 | head -n 1; echo ended`;
  const shell = spawn("/bin/sh", ["-c", words, process.execPath, launcher, path.join(place, "ready.json")]);
  let text = "";
  shell.stdout.on("data", (part) => (text += String(part)));
  await once(shell, "close");
  expect(text.split("\n")).toEqual([expect.stringContaining(" req-"), "ended", ""]);
});
