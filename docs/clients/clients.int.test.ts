/** The pages and clients of this folder, executed: pasted commands must give the printed results. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "../../bin/gatewright.ts";
import { startSigningProxy } from "../../conformance/commands.ts";
import { type Simulator, startSimulator } from "../../simulator/index.ts";
import { clients, type Ended, needs, run, runClient, toolsOf } from "./testing/run-client.ts";

const root = path.resolve(import.meta.dirname, "../..");
const at = (...names: string[]): string => path.join(root, ...names);
const keyId = "gw_demo_trader";
const secret = "sandbox-only-secret-of-gw_demo_trader";

let simulator: Simulator;
let scratch = "";
beforeAll(async () => {
  simulator = await startSimulator();
  scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-clients-"));
});
afterAll(async () => {
  await simulator.close();
  rmSync(scratch, { recursive: true, force: true });
});

const bash = (script: string): Promise<Ended> => run("bash", ["-euo", "pipefail", "-c", script]);

/** The text inside the fences of a page, in their order. */
function blocksOf(page: string, language: string, heading = ""): string[] {
  const text = readFileSync(at(page), "utf8");
  const start = heading === "" ? 0 : text.indexOf(`\n${heading}\n`);
  expect(start, `${page} has a heading "${heading}"`).toBeGreaterThanOrEqual(0);
  const end = heading === "" ? -1 : text.indexOf("\n## ", start + 1);
  const section = text.slice(start, end === -1 ? undefined : end);
  return Array.from(
    section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms")),
    ([, one]) => one ?? "",
  );
}

const only = (blocks: readonly string[]): string => {
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? "";
};

describe("the clients", () => {
  const settings = (): NodeJS.ProcessEnv => ({ GATEWRIGHT_BASE_URL: simulator.baseUrl });
  const marketResult = /FILLED, [\d.]+ BTC at [\d.]+/;
  const expected = only(blocksOf("docs/clients/README.md", "text")).replace(marketResult, "FILLED, …");

  it.each(clients)("%s has fewer than 60 lines", (client) => {
    expect(readFileSync(at("docs/clients", client), "utf8").split("\n").length - 1).toBeLessThan(60);
  });

  it.for(clients)("%s takes the whole walk", async (client, context) => {
    needs(context, ...toolsOf[client]);
    const { code, stdout, stderr } = await runClient(client, settings(), scratch);
    expect(stderr).toBe("");
    expect(stdout.replace(marketResult, "FILLED, …")).toBe(expected);
    expect(code).toBe(0);
  });

  it.for(clients)("%s fails aloud when it is refused, and when nobody answers", async (client, context) => {
    needs(context, ...toolsOf[client]);
    const refused = await runClient(client, { ...settings(), GATEWRIGHT_SECRET: "another" }, scratch);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/POST \/order: 401 .*INVALID_SIGNATURE/);
    const nowhere = { GATEWRIGHT_BASE_URL: "http://127.0.0.1:9/api/v1/trading" };
    const nobody = await runClient(client, nowhere, scratch);
    expect(nobody).toMatchObject({ code: 1, stdout: "" });
  });

  it("client.ts runs as it stands where Node can", async ({ skip }) => {
    const { typescript } = process.features as { typescript?: unknown };
    skip(!typescript, `Node ${process.versions.node} does not run TypeScript`);
    const { code, stdout } = await run(process.execPath, [at("docs/clients/client.ts")], settings());
    expect(stdout.replace(marketResult, "FILLED, …")).toBe(expected);
    expect(code).toBe(0);
  });

  it("curl.sh manages where date knows no %N", async (context) => {
    needs(context, ...toolsOf["curl.sh"]);
    const shim = path.join(scratch, "date");
    writeFileSync(
      shim,
      '#!/bin/sh\n[ "$1" = +%s ] && exec env PATH="$REAL_PATH" date +%s\necho 1767225603N\n',
    );
    chmodSync(shim, 0o755);
    const real = process.env["PATH"] ?? "";
    const env = { ...settings(), REAL_PATH: real, PATH: `${scratch}${path.delimiter}${real}` };
    expect(await runClient("curl.sh", env, scratch)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("README.md", () => {
  it("leads to a filled order by pasting", async (context) => {
    needs(context, "bash", "curl", "openssl");
    const block = blocksOf("README.md", "sh").find((one) => one.startsWith("BASE=")) ?? "";
    const pasted = block.replace("http://127.0.0.1:8080/api/v1/trading", simulator.baseUrl);
    expect(pasted).not.toBe(block);
    // Not strict: that is how a terminal reads it.
    const { code, stdout, stderr } = await run("bash", ["-c", pasted]);
    const [placed, found] = stdout.split("\n", 2).map((line) => JSON.parse(line) as unknown);
    expect(placed).toMatchObject({ data: { type: "NEW_ORDER", order: { status: "OPEN" } } });
    expect(found).toMatchObject({ data: { items: [{ status: "FILLED", type: "MARKET" }] } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

const sha256 = (content: string): string => createHash("sha256").update(content).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);

describe("docs/signing.md", () => {
  const page = "docs/signing.md";

  it("computes its example rightly", async (context) => {
    const section = "## A worked example";
    const body = only(blocksOf(page, "json", section)).trimEnd();
    const [hash, canonical, signature] = blocksOf(page, "text", section).map((block) => block.trimEnd());
    const text = readFileSync(at(page), "utf8");
    const [, key = "", bytes] = /with the secret `(.*?)`. The body has (\d+) bytes/.exec(text) ?? [];
    expect(Buffer.byteLength(body)).toBe(Number(bytes));
    expect(hash).toBe(sha256(body));
    expect(canonical?.split("\n")[5]).toBe(hash);
    expect(text).toContain(`The text that is signed, ${Buffer.byteLength(canonical ?? "")} bytes:`);
    expect(signature).toBe(hmac(key, canonical ?? "").digest("hex"));
    needs(context, "bash", "openssl");
    const { stdout } = await bash(only(blocksOf(page, "sh", section)));
    expect(stdout.trimEnd().split("\n")).toEqual([hash, String(canonical?.length), signature]);
  });

  describe("the table of mistakes", () => {
    const rows = Array.from(
      readFileSync(at(page), "utf8").matchAll(/^\| `(\w+): (.+?)` \| .+ \| .+ \|$/gm),
      ([, name = "", words = ""]) => [name, words] as const,
    );

    it("has fifteen rows, each with a request that makes the mistake", () => {
      expect(rows.map(([, words]) => words)).toEqual(Object.keys(mistakes));
      expect(rows).toHaveLength(15);
    });

    it.each(rows)("%s: %s", async (name, words) => {
      const attempt = { ...plain, ...mistakes[words] };
      if (attempt.twice) expect((await send(attempt)).status).toBe(200);
      const { status, body } = await send(attempt);
      expect(status).toBe(401);
      const shown = name === "message" ? body.message : body.details[0]?.[name];
      if (typeof shown === "number") expect(Math.abs(shown - Number(words))).toBeLessThan(10_000);
      else expect(shown).toContain(words);
    });
  });

  it("shows what `gatewright sign` prints", async (context) => {
    needs(context, "bash");
    const section = "## `gatewright sign`";
    const script = only(blocksOf(page, "sh", section));
    const { stdout } = await bash(`gatewright() { printf '%s\\n' "$EXAMPLE_SECRET" "$@"; }\n${script}`);
    const [secretOfPage = "", ...args] = stdout.trimEnd().split("\n");
    vi.stubEnv("EXAMPLE_SECRET", secretOfPage);
    expect(await printed(args)).toBe(only(blocksOf(page, "text", section)));
  });

  it("says rightly that the command which `gatewright sign` prints works, query and body included", async (context) => {
    needs(context, "bash", "curl");
    vi.stubEnv("GATEWRIGHT_SECRET", secret);
    const { origin, pathname } = new URL(simulator.baseUrl);
    const fixed = ["--key-id", keyId, "--secret-env", "GATEWRIGHT_SECRET", "--origin", origin];
    const note = "it's $HOME";
    const order = { side: "BUY", type: "MARKET", quote_value: "100", product: "BTC-USD", note };
    const body = JSON.stringify({ ...order, client_order_id: randomUUID() });
    for (const request of [
      ["--method", "get", "--path", `${pathname}/order/open?product=BTC-USD`],
      ["--method", "POST", "--path", `${pathname}/order`, "--body", body],
    ]) {
      const shown = await printed(["sign", ...request, ...fixed]);
      const { stdout } = await bash(shown.slice(shown.indexOf("\ncurl ")));
      expect(JSON.parse(stdout)).toMatchObject({ statusCode: 200, success: true });
    }
  });

  it("says rightly what curl gets through the proxy", async (context) => {
    needs(context, "bash", "curl");
    // A client that has no orders, so that the list is as empty as on the page.
    const bob = simulator.keys.find(({ name }) => name === "other");
    const proxy = await startSigningProxy({
      target: simulator.baseUrl,
      keyId: bob?.keyId ?? "",
      secret: bob?.secret ?? "",
    });
    try {
      const [, command = ""] = blocksOf(page, "sh", "## `gatewright proxy`");
      const [, answer] = blocksOf(page, "text", "## `gatewright proxy`");
      const { stdout } = await bash(
        command.replace(/http:\/\/127\.0\.0\.1:8081\/[\w-]+\/api\/v1\/trading/, proxy.url),
      );
      expect(stdout).toBe(answer?.trimEnd());
    } finally {
      await proxy.close();
    }
  });
});

async function printed(args: readonly string[]): Promise<string> {
  let output = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  try {
    expect(await main(["node", "gatewright", ...args], "0.0.0")).toBe(0);
  } finally {
    spy.mockRestore();
  }
  return output;
}

type Lines = [timestamp: string, nonce: string, method: string, path: string, type: string, bodyHash: string];

/** A request and the ways in which it can be signed wrongly. */
interface Attempt {
  readonly route: string;
  readonly body: string;
  readonly clock: () => number;
  readonly line: (lines: Lines) => Partial<Record<0 | 1 | 2 | 3 | 4 | 5, string>>;
  readonly end: string;
  readonly key: string | Buffer;
  readonly digits: "hex" | "base64";
  readonly without: string;
  /** The same headers again. */
  readonly twice: boolean;
  readonly nonce: string | null;
}

const plain: Attempt = {
  route: "/order/open?product=BTC-USD",
  body: "",
  clock: () => Date.now(),
  line: () => ({}),
  end: "",
  key: secret,
  digits: "hex",
  without: "",
  twice: false,
  nonce: null,
};

/** By the words of the table. */
const mistakes: Readonly<Record<string, Partial<Attempt>>> = {
  "X-API-NONCE": { without: "X-API-NONCE" },
  "It looks like seconds": { clock: () => Math.floor(Date.now() / 1000) },
  "-90000": { clock: () => Date.now() - 90_000 },
  "X-API-NONCE was used before": { twice: true, nonce: randomUUID() },
  "the method is signed in lower case": { line: ([, , method]) => ({ 2: method.toLowerCase() }) },
  "the path is signed without /api/v1/trading": {
    line: ([, , , path]) => ({ 3: path.replace("/api/v1/trading", "") }),
  },
  "the whole address is signed instead of the path": {
    line: ([, , , path]) => ({ 3: new URL(path, simulator.baseUrl).href }),
  },
  "the query string is included in the path": { line: ([, , , path]) => ({ 3: `${path}?product=BTC-USD` }) },
  "the fifth line carries a charset": { line: () => ({ 4: "application/json; charset=utf-8" }) },
  "a blank after each comma and colon": {
    route: "/order",
    body: '{"side":"BUY","type":"MARKET"}',
    line: () => ({ 5: sha256('{"side": "BUY", "type": "MARKET"}') }),
  },
  "the hash of {} is signed although no body is sent": { line: () => ({ 5: sha256("{}") }) },
  "a newline follows the last line": { end: "\n" },
  "the secret is base64-decoded first": { key: Buffer.from(secret, "base64") },
  "the digest is written in base64": { digits: "base64" },
  "Compare the text that you signed with expectedCanonical": { key: "the secret of another venue" },
};

interface Refusal {
  message: string;
  details: Record<string, string | number>[];
}

async function send(attempt: Attempt): Promise<{ status: number; body: Refusal }> {
  const method = attempt.body === "" ? "GET" : "POST";
  const address = new URL(simulator.baseUrl + attempt.route);
  const timestamp = String(attempt.clock());
  const nonce = attempt.nonce ?? randomUUID();
  const right: Lines = [timestamp, nonce, method, address.pathname, "application/json", sha256(attempt.body)];
  const text = Object.values({ ...right, ...attempt.line(right) }).join("\n") + attempt.end;
  const headers = new Headers({
    "X-API-KEY": keyId,
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": hmac(attempt.key, text).digest(attempt.digits),
    "Content-Type": "application/json",
  });
  if (attempt.without !== "") headers.delete(attempt.without);
  const response = await fetch(address, { method, headers, body: attempt.body === "" ? null : attempt.body });
  return { status: response.status, body: (await response.json()) as Refusal };
}
