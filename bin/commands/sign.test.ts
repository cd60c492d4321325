import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

const order = "/api/v1/trading/order/open";
const sandbox = {
  baseUrl: "http://127.0.0.1:18100/api/v1/trading",
  keys: [{ name: "trader", keyId: "gw_demo_trader", secret: "of-the-trader" }],
};

const said = captureOutput();
const sign = async (...args: readonly string[]) => {
  const code = await main(["node", "gatewright", "sign", "--method", "GET", ...args], "0.0.0");
  return { code, stdout: said.output, stderr: said.errors };
};

let readyFile = "";
beforeEach(() => {
  readyFile = path.join(mkdtempSync(path.join(os.tmpdir(), "gatewright-sign-")), "ready.json");
  writeFileSync(readyFile, JSON.stringify(sandbox), { mode: 0o600 });
});

describe("the sandbox whose key signs", () => {
  it("is the one that the curl command is for", async () => {
    const { stdout, stderr } = await sign("--path", order, "--ready-file", readyFile);
    expect(stdout).toContain(`curl --noproxy '*' -X GET 'http://127.0.0.1:18100${order}'`);
    expect(stderr).toBe("");
  });

  it("is found by the variable, too", async () => {
    vi.stubEnv("GATEWRIGHT_READY_FILE", readyFile);
    expect((await sign("--path", order)).stdout).toContain("'http://127.0.0.1:18100/");
  });

  it("gives way to --origin", async () => {
    const { stdout } = await sign(
      "--path",
      order,
      "--ready-file",
      readyFile,
      "--origin",
      "https://gw.example",
    );
    expect(stdout).toContain(`'https://gw.example${order}'`);
  });
});

describe("a path without the prefix", () => {
  it.each(["/order", "/order?product=BTC-USD", "/api/v1/tradingorder", "/trading/order"])(
    "%s is signed with a warning",
    async (given) => {
      const { code, stdout, stderr } = await sign("--path", given, "--ready-file", readyFile);
      expect(code).toBe(0);
      expect(stdout).toContain(`18100${given}'`);
      expect(stderr).toContain(`--path ${given} does not begin with /api/v1/trading/`);
    },
  );

  it("is told when no sandbox is named, too", async () => {
    vi.stubEnv("SECRET", "x");
    const { stderr } = await sign("--path", "/order", "--key-id", "k", "--secret-env", "SECRET");
    expect(stderr).toContain("--path /order does not begin with /api/v1/trading/");
  });
});

it("a variable that holds nothing is told from one that is not set", async () => {
  vi.stubEnv("SECRET", "");
  const named = ["--path", order, "--key-id", "k", "--secret-env"];
  expect((await sign(...named, "SECRET")).stderr).toContain(
    "the environment variable SECRET is set, and empty",
  );
  expect((await sign(...named, "NO_SUCH")).stderr).toContain("the environment variable NO_SUCH is not set");
});
