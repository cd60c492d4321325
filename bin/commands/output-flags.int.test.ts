import { generateKeyPairSync } from "node:crypto";
import { lstat, mkdtemp, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { startFaultyGateway } from "../../conformance/testing/faulty-gateway/gateway.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { commands } from "../commands.ts";
import { main } from "../gatewright.ts";

/** Every flag that names a file which is written: no link in its place is followed, and the file is its owner's alone. */
const scenarios = new URL("../../conformance/testing/scenarios", import.meta.url).pathname;
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeFile(join(folder, "key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  vi.stubEnv("STUB_SECRET", "trader-secret-for-tests-only");
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const run = (...args: string[]): Promise<number> => main(["node", "gatewright", ...args], "0.0.0");
const nobody = [
  "--target",
  "http://127.0.0.1:9/api/v1/trading",
  "--key-id",
  "kid",
  "--secret-env",
  "STUB_SECRET",
];

/** For commands that take a profile only; it is not there, and outputs are looked at first. */
const nobodysFile = (): string[] => ["--profile", join(folder, "missing.yaml")];

/** Command and flag, and what else has to be said for the flag to be looked at. */
const outputs: Readonly<Record<string, (file: string) => readonly string[]>> = {
  "backup --out": (file) => ["--db", join(folder, "venue.db"), "--out", file],
  "conform --report": (file) => [...nobody, "--report", `json=${file}`],
  "conform --write-expectations": (file) => [...nobody, "--write-expectations", file],
  "conform --ledger": (file) => [...nobody, "--ledger", file],
  "conform --counterexamples": (file) => [...nobody, "--counterexamples", join(file, "below")],
  "certify --out": (file) => [...nobody, "--key", join(folder, "key.pem"), "--challenge", "c", "--out", file],
  "certify --report": (file) => [
    ...nobody,
    "--key",
    join(folder, "key.pem"),
    "--challenge",
    "c",
    "--out",
    join(folder, "certificate.json"),
    "--report",
    `json=${file}`,
  ],
  "probe --out": (file) => [...nobody, "--force", "--out", file],
  "learn --out-profile": (file) => [
    ...nobodysFile(),
    "--force",
    "--out-profile",
    file,
    "--out-world",
    join(folder, "world"),
  ],
  "learn --out-world": (file) => [
    ...nobodysFile(),
    "--force",
    "--out-world",
    file,
    "--out-profile",
    join(folder, "profile"),
  ],
  "learn --report": (file) => [...nobodysFile(), "--report", `json=${file}`],
  "coverage --report": (file) => ["--report", `markdown=${file}`],
  "merge --report": (file) => [join(folder, "part.json"), "--report", `html=${file}`],
  "bisect --out": (file) => ["--out", file, "--", "true"],
  "drift --report": (file) => ["--a", "a.yaml", "--b", "b.yaml", "--report", `json=${file}`],
  "drift --write-accepted": (file) => ["--a", "a.yaml", "--b", "b.yaml", "--write-accepted", file],
  "capsule --out": (file) => ["--out", file],
  "exam --report": (file) => ["--client", "true", "--report", `json=${file}`],
  "exam --out": (file) => [
    "--client",
    "true",
    "--key",
    join(folder, "key.pem"),
    "--challenge",
    "c",
    "--out",
    file,
  ],
  "export --out": (file) => [join(folder, "session.recording"), "--out", file],
  "record --out": (file) => ["--target", "http://127.0.0.1:9/api/v1/trading", "--out", file],
  "shrink --out": (file) => [join(folder, "session.recording"), "--differs", "--out", file],
  "mutants --report": (file) => ["--only", "M-001", "--report", `json=${file}`],
  "mutants --write-sample": (file) => ["--only", "M-001", "--write-sample", file],
};

/** Files that a command reads, as it does a profile and a world; a database is the simulator's. */
const inputs = new Set([
  "cleanup --ledger",
  "conform --expectations",
  "drift --a",
  "drift --accept",
  "drift --b",
  "sign --body-file",
  "verify --key",
]);

describe("a flag that names a file", () => {
  it("is one of these, or is read", async () => {
    const found: string[] = [];
    for (const { name, load } of commands) {
      const program = new Command();
      (await load()).register(program);
      for (const command of program.commands.filter((one) => one.name() === name))
        for (const { flags, long } of command.options)
          if (/<[^>]*(?:file|folder|dir)[^>]*>/.test(flags)) found.push(`${name} ${long ?? flags}`);
    }
    const read = (flag: string): boolean =>
      inputs.has(flag) || / --(?:profile|ready-file|key|scenarios|db|world)$/.test(flag);
    expect(found.filter((flag) => !read(flag)).sort()).toEqual(Object.keys(outputs).sort());
  });

  it.each(Object.keys(outputs))("is not followed through a link: %s", async (flag) => {
    const precious = join(folder, "precious");
    const link = join(folder, "link");
    await writeFile(precious, "do not touch");
    await symlink(precious, link);
    const code = await run(flag.split(" ")[0] ?? "", ...(outputs[flag]?.(link) ?? []));
    expect([exitCodes.usage, exitCodes.targetUnusable]).toContain(code);
    expect(await readFile(precious, "utf8")).toBe("do not touch");
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(["key.pem", "link", "precious"]);
  });
});

describe("a file that the kit writes", () => {
  it("is readable by its owner only, complete, and without a draft file", async () => {
    const stub = await startFaultyGateway();
    const target = ["--target", stub.baseUrl, "--key-id", stub.keyId, "--secret-env", "STUB_SECRET"];
    const at = (name: string): string => join(folder, "made", name);
    const reports = ["json", "ndjson", "junit", "html", "tap", "markdown", "badge"];
    try {
      await run(
        "conform",
        ...target,
        "--scenarios",
        scenarios,
        "--write-expectations",
        at("expectations"),
        ...reports.flatMap((format) => ["--report", `${format}=${at(format)}`]),
      );
      await run("probe", ...target, "--out", at("profile"));
      await run("coverage", "--report", `markdown=${at("coverage")}`);
    } finally {
      await stub.close();
    }
    const names = [...reports, "badge.endpoint.json", "expectations", "profile", "coverage"].sort();
    expect((await readdir(dirname(at("x")))).sort()).toEqual(names);
    for (const name of names) expect([name, (await lstat(at(name))).mode & 0o777]).toEqual([name, 0o600]);
  });

  it("is no link's target where a counterexample goes", async () => {
    const stub = await startFaultyGateway(["missing-side-accepted"]);
    const place = join(folder, "found");
    const search = (): Promise<number> =>
      run(
        "conform",
        "--target",
        stub.baseUrl,
        "--key-id",
        stub.keyId,
        "--secret-env",
        "STUB_SECRET",
        "--properties",
        "only",
        "--only",
        "P-12",
        "--seed",
        "1",
        "--counterexamples",
        place,
      );
    try {
      expect(await search()).toBe(exitCodes.nonConformant);
      const [name = ""] = await readdir(place);
      const precious = join(folder, "precious");
      await rename(join(place, name), precious);
      await writeFile(precious, "do not touch");
      await symlink(precious, join(place, name));
      expect(await search()).toBe(exitCodes.nonConformant);
      expect(await readFile(precious, "utf8")).toBe("do not touch");
    } finally {
      await stub.close();
    }
  });

  it("is never written through a link, by any command", async () => {
    const precious = join(folder, "precious");
    await writeFile(precious, "do not touch");
    await symlink(precious, join(folder, "link"));
    for (const fresh of [true, false])
      await expect(kit.writeOutput(join(folder, "link"), "text", { fresh })).rejects.toThrow(
        "cannot be written",
      );
    expect(await readFile(precious, "utf8")).toBe("do not touch");
  });
});
