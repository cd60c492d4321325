import { lstat, mkdtemp, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { startFaultyGateway } from "../../conformance/testing/faulty-gateway/gateway.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { main } from "../gatewright.ts";

/** What is written belongs to its owner alone. That no link is followed on the way: path-options.test.ts. */
const scenarios = new URL("../../conformance/testing/scenarios", import.meta.url).pathname;
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
  vi.stubEnv("STUB_SECRET", "trader-secret-for-tests-only");
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const run = (...args: string[]): Promise<number> => main(["node", "gatewright", ...args], "0.0.0");
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
    const stub = await startFaultyGateway(["p03-first-two-lines-in-any-order"]);
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
        "P-03",
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
