import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "./model/position.ts";
import { packageRoot } from "./package-root.ts";
import { environmentOf, readReadyFile } from "./ready-line.ts";
import { readProfile } from "./testing/read-once.ts";

const ready = {
  event: "ready",
  baseUrl: "http://127.0.0.1:8080/api/v1/trading",
  controlUrl: "http://127.0.0.1:8080/__gatewright",
  controlToken: "token",
  keys: [
    { name: "trader", keyId: "kid_t", secret: "secret_t" },
    { name: "market-data", keyId: "kid_m", secret: "secret_m" },
  ],
};

async function fileWith(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "ready.json");
  await writeFile(file, text);
  return file;
}

describe("the ready line of our simulator", () => {
  const profile = join(packageRoot(), "fixtures", "profiles", "simulator.yaml");

  it("fills the simulator's profile; keys it does not have are left out", async () => {
    const line = await readReadyFile(await fileWith(`some log line\n${JSON.stringify(ready)}\n`));
    const made = await readProfile(profile, environmentOf(line));
    expect(Object.keys(made.credentials)).toEqual(["trader", "noClaim"]);
    expect(made.credentials["noClaim"]).toMatchObject({ keyId: "kid_m", secret: "secret_m" });
    expect([made.control?.url, made.control?.token]).toEqual([ready.controlUrl, "token"]);
    expect(made.capabilities["fault.inject"]).toBe("present");
  });

  it("without a control surface makes clock and faults unknown, not present", async () => {
    const { controlUrl: _, ...plain } = ready;
    for (const line of [plain, { ...ready, controlUrl: null, controlToken: null }]) {
      const made = await readProfile(profile, environmentOf(line));
      expect(made.control).toBeUndefined();
      expect(made.capabilities["clock.control"]).toBe("unknown");
    }
  });

  it("is asked for by name when it is missing", async () => {
    await expect(readProfile(profile, {})).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ message: "the environment variable GATEWRIGHT_BASE_URL is not set" }),
      ]) as unknown,
    });
    await expect(readReadyFile(await fileWith("not json"))).rejects.toBeInstanceOf(UsageError);
    await expect(readReadyFile(await fileWith('{"event":"ready"}'))).rejects.toBeInstanceOf(UsageError);
  });
});
