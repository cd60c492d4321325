/** `gatewright doctor` against a sandbox and without one, as it is typed. */
import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ControlledSimulator, startSimulator } from "../../simulator/index.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

let simulator: ControlledSimulator;
let place = "";
const said = captureOutput();

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "doctor-"));
  simulator = await startSimulator();
  writeFileSync(path.join(place, "ready.json"), JSON.stringify(simulator.readyLine()));
});
afterAll(async () => {
  await simulator.close();
  rmSync(place, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

async function doctor(pasted: string, ...words: readonly string[]): Promise<number> {
  const file = path.join(place, "pasted.txt");
  writeFileSync(file, pasted);
  return main(["node", "gatewright", "doctor", file, ...words], "1.0.0");
}
const online = (pasted: string, ...words: readonly string[]): Promise<number> =>
  doctor(pasted, "--ready-file", path.join(place, "ready.json"), ...words);

const body = `{"side":"BUY","price":"25000.00","note":"it's é"}`;
const target = "/api/v1/trading/order";
const [timestamp, nonce] = ["1767225600000", "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10"];
const secret = "a secret of mine";

const signed = (method: string, key: string, mine = body): string =>
  createHmac("sha256", key)
    .update(
      [
        timestamp,
        nonce,
        method,
        target,
        "application/json",
        createHash("sha256").update(mine).digest("hex"),
      ].join("\n"),
    )
    .digest("hex");

const headersWith = (keyId: string, signature: string): readonly (readonly [string, string])[] => [
  ["X-API-KEY", keyId],
  ["x-api-timestamp", timestamp],
  ["X-API-NONCE", nonce],
  ["X-API-SIGNATURE", signature],
  ["Content-Type", "application/json"],
];

/** The same request as each tool shows it. */
const shapes: readonly (readonly [string, (keyId: string, signature: string) => string])[] = [
  [
    "a curl command",
    (keyId, signature) =>
      [
        `curl -sS -X POST 'http://localhost:8080${target}'`,
        ...headersWith(keyId, signature).map(([name, value]) => `-H "${name}: ${value}"`),
        `--data-raw $'${body.replace("'", "\\'")}' --compressed`,
      ].join(" \\\n  "),
  ],
  [
    "a curl command in a log of set -x",
    (keyId, signature) =>
      [
        `2026-01-01T00:00:00Z + curl -sS -X POST 'http://localhost:8080${target}'`,
        ...headersWith(keyId, signature).map(([name, value]) => `-H '${name}: ${value}'`),
        `-d'${body.replace("'", "'\\''")}' 2>&1 | tee out.txt`,
      ].join(" "),
  ],
  [
    "a curl command of Chrome for cmd.exe",
    (keyId, signature) =>
      [
        `curl ^"http://localhost:8080${target}^"`,
        ...headersWith(keyId, signature).map(([name, value]) => `-H ^"${name}: ${value}^"`),
        `--data-raw ^"${body.replaceAll('"', '^\\^"')}^"`,
      ].join(" ^\r\n  "),
  ],
  [
    "the output of curl -v, in a mail",
    (keyId, signature) =>
      [
        `$ curl -v http://localhost:8080${target} -d '${body.replace("'", "'\\''")}'`,
        "*   Trying 127.0.0.1:8080...",
        `> POST ${target} HTTP/1.1`,
        "> Host: localhost:8080",
        ...headersWith(keyId, signature).map(([name, value]) => `> ${name}: ${value}`),
        `> Content-Length: ${Buffer.byteLength(body)}`,
        "> ",
        "< HTTP/1.1 401 Unauthorized",
        "< ",
        '{"success":false}',
      ]
        .map((line) => `> ${line}\r\n`)
        .join(""),
  ],
  [
    "a raw request",
    (keyId, signature) =>
      [
        `POST ${target} HTTP/1.1`,
        "Host: localhost:8080",
        ...headersWith(keyId, signature).map(([name, value]) => `${name}: ${value}`),
        `Content-Length: ${Buffer.byteLength(body)}`,
        "",
        `${body}\n`,
      ].join("\n"),
  ],
  [
    "an entry of a HAR file",
    (keyId, signature) =>
      JSON.stringify({
        startedDateTime: "2026-01-01T00:00:00.000Z",
        request: {
          method: "POST",
          url: `http://localhost:8080${target}`,
          headers: headersWith(keyId, signature).map(([name, value]) => ({ name, value })),
          postData: { mimeType: "application/json", text: body },
        },
      }),
  ],
];

describe.each(shapes)("%s", (_name, shape) => {
  it("is examined by the sandbox that has its key", async () => {
    const { keyId, secret: key } = simulator.keys[0] ?? { keyId: "", secret: "" };
    expect(await online(shape(keyId, signed("post", key)))).toBe(0);
    expect(said.output).toMatch(/^The signature matches if the method is signed in lower case\./);
    expect(said.output).toContain("  > post\\n");
    expect(said.output).toContain("The first difference is in line 3, at byte 51.");
    expect(said.output).not.toContain(key);
    expect(said.output).not.toContain(signed("POST", key));
  });

  it("is examined without a sandbox, with its secret", async () => {
    vi.stubEnv("MY_SECRET", secret);
    const offline = ["--secret-env", "MY_SECRET", "--key-id", "mine", "--json"];
    expect(await doctor(shape("mine", signed("POST", secret, `${body}\n`)), ...offline)).toBe(0);
    expect(JSON.parse(said.output)).toMatchObject({ state: "found", mistakes: ["body-and-newline"] });
    said.output = "";
    expect(await doctor(shape("mine", signed("POST", secret)), ...offline)).toBe(0);
    expect(JSON.parse(said.output)).toMatchObject({ verifies: true, mistakes: [] });
    said.output = "";
    expect(await doctor(shape("mine", signed("POST", "another")), "--secret-env", "MY_SECRET")).toBe(1);
    expect(said.output).toMatch(/^None of the \d{4} mistakes and pairs of mistakes/);
  });
});

describe("what cannot be examined", () => {
  const [curl, , , , raw, har] = shapes.map(([, shape]) => shape("mine", "00"));

  it.each<[string, string]>([
    ["", "nothing was pasted"],
    ["GET /order", "none of a curl command, a raw HTTP request"],
    [curl?.replace("X-API-NONCE", "X-NONCE") ?? "", "has no header X-API-NONCE"],
    [curl?.replace('-H "X-API-KEY: mine"', '-H "X-API-KEY: $KEY"') ?? "", "is a variable of a shell"],
    [curl?.replace(/--data-raw .*'/, "-d @order.json") ?? "", "curl reads the body from @order.json"],
    [curl?.slice(0, -20) ?? "", "is not closed"],
    [curl?.replace(/'http:[^']*'/, "") ?? "", "no address"],
    [
      raw?.replace("X-API-KEY: mine", "X-API-KEY: [REDACTED]") ?? "",
      "the value of X-API-KEY is hidden ([REDACTED])",
    ],
    [raw?.replace("X-API-KEY:", "X-API-KEY") ?? "", "is no header"],
    [raw?.replace(/Content-Length: \d+/, "Content-Length: 900") ?? "", "copy the whole body"],
    [raw?.replace("Host:", "X-API-KEY:") ?? "", "has X-API-KEY 2 times"],
    [har?.slice(0, -5) ?? "", "the HAR:1: cannot be read: not JSON"],
    ['{"request":{}}', "has no text request.method"],
    ['{"log":{"entries":[]}}', "0 signed requests"],
  ])("gets one sentence and 2: %#", async (pasted, sentence) => {
    expect(await online(pasted)).toBe(2);
    expect(said.errors.trim()).toContain(sentence);
    expect(said.errors.trim().split("\n")).toHaveLength(1);
    expect(said.output).toBe("");
  });

  it("is a key that no world has, another key than that of the secret, and a body too long to ask about", async () => {
    expect(await online(raw ?? "")).toBe(1);
    expect(said.errors).toContain("There is no key mine");
    vi.stubEnv("MY_SECRET", secret);
    expect(await doctor(raw ?? "", "--secret-env", "MY_SECRET", "--key-id", "other")).toBe(2);
    expect(said.errors).toContain("the request has the key mine, and --key-id is other");
    const long = raw?.replace(/Content-Length: \d+/, "").replace(body, "x".repeat(3100)) ?? "";
    expect(await online(long)).toBe(2);
    expect(said.errors).toContain("more than 3072 bytes");
  });

  it("is told of a timestamp in seconds", async () => {
    vi.stubEnv("MY_SECRET", secret);
    const pasted = raw?.replace(timestamp, "1767225600") ?? "";
    expect(await doctor(pasted, "--secret-env", "MY_SECRET")).toBe(1);
    expect(said.output).toContain("X-API-TIMESTAMP 1767225600 looks like seconds");
  });
});
