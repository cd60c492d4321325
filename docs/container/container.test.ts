/** The files for containers and services: none of them can be run here, so each is read by what its reader would check. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Command } from "@commander-js/extra-typings";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { register } from "../../bin/commands/serve.ts";

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), "utf8");

const program = new Command();
register(program as unknown as Parameters<typeof register>[0]);
const variables = new Set(program.commands[0]?.options.map(({ envVar }) => envVar));

const files = ["Dockerfile", "compose.yaml", "devcontainer.json", "gatewright.service", "testcontainers.ts"];
/** Those that a client reads. */
const ofClients = ["GATEWRIGHT_BASE_URL", "GATEWRIGHT_KEY_ID", "GATEWRIGHT_SECRET"];

describe("the files for containers", () => {
  it.each(files)("%s sets only what serve knows", (name) => {
    const set = Array.from(read(name).matchAll(/GATEWRIGHT_[A-Z_]+/g), ([variable]) => variable);
    expect(set.filter((one) => !variables.has(one) && !ofClients.includes(one))).toEqual([]);
  });

  it("Dockerfile has nothing that its linter finds, is not root, and says how it is", () => {
    const file = read("Dockerfile");
    expect(validate(file)).toEqual([]);
    expect(validate(file.replace("EXPOSE 8080", "EXPOSE port"))).toHaveLength(1);
    const last = file.slice(file.lastIndexOf("\nFROM "));
    expect(last).toMatch(/\nUSER node\n/);
    expect(last).toMatch(/\nHEALTHCHECK /);
    // Without a shell between, signals reach the program.
    expect(last).toMatch(/\nENTRYPOINT \["node", .*\]\nCMD \["serve"\]\n$/);
  });

  it("compose.yaml builds what is here, and waits until it is ready", () => {
    const { services } = parse(read("compose.yaml")) as {
      readonly services: Readonly<Record<string, Record<string, never>>>;
    };
    expect(services["gatewright"]).toMatchObject({
      build: { context: "../..", dockerfile: "docs/container/Dockerfile" },
      ports: ["127.0.0.1:8080:8080"],
    });
    expect(services["client"]).toMatchObject({
      depends_on: { gatewright: { condition: "service_healthy" } },
    });
  });

  it("gatewright.service is one that systemd takes", ({ skip }) => {
    const unit = path.join(import.meta.dirname, "gatewright.service");
    const { error, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], {
      encoding: "utf8",
    });
    skip(error !== undefined, "there is no systemd-analyze on this machine");
    const found = stderr.split("\n").filter((line) => line.includes("gatewright.service"));
    // It is not installed here.
    expect(found.filter((line) => !/is not executable/.test(line))).toEqual([]);
  });
});
