/** `serve --watch`, by the launcher that people use. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const launcher = fileURLToPath(new URL("../gatewright", import.meta.url));

let folder = "";
const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "watched-world-"));
  mkdirSync(path.join(folder, "team"));
  write("world.yaml", "extends: ./team/base.yaml\nseed: 1\n");
  write("team/base.yaml", "extends: demo\nsettings: { matchDelayMs: 0 }\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function serve(...flags: string[]) {
  const words = [launcher, "serve", "--port", "0", "--json", "--watch", ...flags];
  const child = spawn(process.execPath, words, { cwd: folder });
  const ended = once(child, "exit") as Promise<[code: number]>;
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  const line = once(createInterface(child.stdout), "line") as Promise<[string]>;
  return { child, ended, said: () => stderr, line };
}

const inMemory = ["--world", "world.yaml", "--db", ":memory:"];

it("begins anew at the same address with the same token, and goes on as it was when the file is wrong", async () => {
  const { child, ended, said, line } = await serve(...inMemory);
  const [text] = await line;
  const { controlUrl, controlToken } = JSON.parse(text) as Record<"controlUrl" | "controlToken", string>;
  const read = async (what: string): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${controlToken}` };
    const answer = await fetch(`${controlUrl}/${what}`, { headers }).catch(() => null);
    // Between two worlds nobody answers.
    const body = (await answer?.json()) as { readonly data: Record<string, unknown> } | undefined;
    return body?.data ?? {};
  };
  const isSeed = (seed: number) => expect.poll(() => read("health")).toMatchObject({ seed });
  await isSeed(1);

  write("world.yaml", "extends: ./team/base.yaml\nseed: 2\n");
  await isSeed(2);
  expect(said()).toContain("world.yaml has changed: the sandbox has begun anew with it");

  write("world.yaml", "extends: ./team/base.yaml\nseeds: 3\n");
  await expect.poll(said).toContain("world.yaml has changed and is refused");
  expect(said()).toContain("seeds");
  await isSeed(2);

  write("world.yaml", "extends: ./team/base.yaml\nseed: 4\n");
  await isSeed(4);
  write("team/base.yaml", "extends: demo\nsettings: { matchDelayMs: 7 }\n");
  await expect.poll(() => read("settings")).toMatchObject({ matchDelayMs: 7 });

  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it.each([{ flags: ["--world", "world.yaml"] }, { flags: ["--db", ":memory:"] }])(
  "asks for a world file and for a journal in memory: $flags",
  async ({ flags }) => {
    const { ended, said } = await serve(...flags);
    expect(await ended).toEqual([2, null]);
    expect(said()).toContain("give --world FILE and --db :memory:");
  },
);
