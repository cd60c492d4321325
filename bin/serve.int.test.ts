import process from "node:process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exitCodes } from "../conformance/exit-codes.ts";
import type { RequestLine } from "../simulator/index.ts";
import { register } from "./commands/serve.ts";
import { main } from "./gatewright.ts";

/** A venue in which everything that it has to say comes from somebody else: a client, a file, a name. */
const { poison, venue, heard, others } = vi.hoisted(() => {
  const text = "\u001b[2J\u009b1m\u202egnp\u2028\r\n::error::owned\n##vso[task.x]y";
  const made = {
    banner: () => `${text}\n`,
    readyLine: () => ({ event: "ready", keys: [{ name: text }] }),
    close: () => Promise.resolve(),
    control: { world: { list: () => Promise.resolve(names.map((name) => ({ name }))) } },
  };
  const names = ["main"];
  return {
    poison: text,
    venue: made,
    others: names,
    heard: { stopped: (_sentence: string) => undefined, token: "" },
  };
});
vi.mock("../simulator/index.ts", async (original) => ({
  ...(await original<typeof import("../simulator/index.ts")>()),
  startSimulator: ({ onNotice, onStopped, onRequest, controlToken = "" }: Started) => {
    heard.stopped = onStopped;
    heard.token = controlToken;
    onNotice(`a client has sent ${poison}`);
    onRequest?.(line);
    return Promise.resolve(venue);
  },
}));

const line: RequestLine = {
  id: "req-00000007",
  time: "2026-01-02T03:04:05.678Z",
  method: "POST",
  path: "/order",
  status: 401,
  code: "INVALID_API_KEY",
  ms: 1.5,
  world: "ci",
  key: "trader",
};

interface Started extends Record<"onNotice" | "onStopped", (sentence: string) => undefined> {
  readonly controlToken?: string;
  readonly onRequest?: (told: RequestLine) => void;
}

const signals = ["SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"] as const;
let written = "";
let listeners: readonly (readonly [string, readonly unknown[]])[] = [];
beforeEach(() => {
  written = "";
  listeners = signals.map((name) => [name, process.listeners(name as "SIGINT")] as const);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      written += String(text);
      return true;
    });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const [name, before] of listeners)
    for (const listener of process.listeners(name as "SIGINT"))
      if (!before.includes(listener)) process.off(name, listener);
});

it.each([[["serve"]], [["serve", "--json"]], [["serve", "--defect", poison]]])(
  "what a venue says moves no cursor and gives no order to a CI server: %j",
  async (args) => {
    const serve = { name: "serve", summary: "x", load: () => Promise.resolve({ register }) };
    await main(["node", "gatewright", ...args], "1.0.0", [serve]);
    expect(written).toContain("a client has sent");
    expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]|^[ \t]*::|##\w*\[/m);
    const line = written.split("\n").find((text) => text.startsWith("{"));
    if (args.includes("--json")) expect(JSON.parse(line ?? "")).toEqual(venue.readyLine());
  },
);

it.each([
  ["pretty", (text: string) => expect(text).toContain("gatewright: a client has sent")],
  [
    "json",
    (text: string) => {
      const lines = text.split("\n").filter((line) => line !== "");
      const notices = lines.map(
        (line) => JSON.parse(line) as { readonly time: string; readonly message: string },
      );
      expect(notices.map(({ message }) => message)).toContain(`a client has sent ${poison}`);
      expect(new Date(notices[0]?.time ?? "").toISOString()).toBe(notices[0]?.time);
    },
  ],
  ["off", (text: string) => expect(text).toBe("")],
])("writes its notices on stderr as --log %s says", async (form, check) => {
  let errors = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((errors += String(text)), true));
  const serve = { name: "serve", summary: "x", load: () => Promise.resolve({ register }) };
  await main(["node", "gatewright", "serve", "--json", "--log", form], "1.0.0", [serve]);
  check(errors);
});

it.each([
  [
    ["--log-level", "requests"],
    /^03:04:05\.678 401 POST \/order.* INVALID_API_KEY 1\.5 ms trader@ci req-00000007$/m,
    true,
  ],
  [["--log-level", "requests", "--log", "json"], /^\{"id":"req-00000007",.*"status":401,.*\}$/m, true],
  [["--log-level", "requests", "--log", "off"], /req-00000007/, false],
  [["--log-level", "notices"], /req-00000007/, false],
  [[], /req-00000007/, false],
] as const)("logs a line for each request where that is asked for: %j", async (flags, wanted, isLogged) => {
  const serve = { name: "serve", summary: "x", load: () => Promise.resolve({ register }) };
  await main(["node", "gatewright", "serve", "--json", ...flags], "1.0.0", [serve]);
  expect(wanted.test(written)).toBe(isLogged);
  expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]|^[ \t]*::|##\w*\[/m);
});

it("ends when its venue has stopped itself, and goes on for the other worlds that it has", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const serve = { name: "serve", summary: "x", load: () => Promise.resolve({ register }) };
  await main(["node", "gatewright", "serve"], "1.0.0", [serve]);
  others.push("ci");
  heard.stopped("The venue stopped itself.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(exit).not.toHaveBeenCalled();
  expect(written).toContain("the other worlds go on, until this process ends: ci\n");
  others.pop();
  heard.stopped("The venue stopped itself.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(exit).toHaveBeenCalledWith(exitCodes.venueStopped);
  vi.useRealTimers();
});

it("takes its control token from a flag, and otherwise from the environment", async () => {
  const serve = { name: "serve", summary: "x", load: () => Promise.resolve({ register }) };
  const tokenOf = async (...flags: readonly string[]): Promise<string> => {
    await main(["node", "gatewright", "serve", ...flags], "1.0.0", [serve]);
    return heard.token;
  };
  expect(await tokenOf()).toBe("");
  vi.stubEnv("GATEWRIGHT_CONTROL_TOKEN", "of-the-environment");
  expect(await tokenOf()).toBe("of-the-environment");
  expect(await tokenOf("--control-token", "of-the-command-line")).toBe("of-the-command-line");
  vi.unstubAllEnvs();
});
