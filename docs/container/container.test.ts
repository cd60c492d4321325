/** The files for containers and services: none of them can be run here, so each is read by what its reader would check. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Command } from "@commander-js/extra-typings";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { register } from "../../bin/commands/serve.ts";

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), "utf8");

const program = new Command();
register(program as unknown as Parameters<typeof register>[0]);
const variables = new Set(program.commands[0]?.options.map(({ envVar }) => envVar));

const files = [
  "Dockerfile",
  "compose.yaml",
  "devcontainer.json",
  "gatewright.service",
  "kubernetes.yaml",
  "nodes.compose.yaml",
  "testcontainers.ts",
];
/** Those that a client reads. */
const ofClients = ["GATEWRIGHT_BASE_URL", "GATEWRIGHT_KEY_ID", "GATEWRIGHT_SECRET"];

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment: Readonly<Record<string, string>>;
        readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
      }
    >
  >;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

interface Manifest {
  readonly spec: {
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly { readonly volumeMounts: readonly Named[] }[];
        readonly volumes: readonly Named[];
        readonly securityContext: object;
      };
    };
  };
}

interface Named {
  readonly name: string;
}

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

  it("nodes.compose.yaml starts two nodes of one store, and a standby that the primary waits for", () => {
    const text = read("nodes.compose.yaml");
    const { services, configs } = parse(text, { merge: true }) as Compose;
    const [a, b] = [services["node-a"]?.environment, services["node-b"]?.environment];
    expect(a).toEqual({ ...b, GATEWRIGHT_NODE: "a" });
    expect(new URL((a?.["GATEWRIGHT_STORE"] ?? "").replace(/\$\{.*?\}/, "secret")).hostname).toBe("database");
    expect(services["primary"]?.networks?.default.aliases).toEqual(["database"]);
    const [, awaited] =
      /synchronous_standby_names = '(\w+)'/.exec(configs["replication"]?.content ?? "") ?? [];
    expect(text).toContain(`application_name=${awaited}`);
  });

  it("kubernetes.yaml names what is there", () => {
    const [deployment, service, budget] = parseAllDocuments(read("kubernetes.yaml")).map(
      (document) => document.toJS() as Manifest,
    );
    const { selector, template } = deployment?.spec ?? {};
    const labels = template?.metadata.labels;
    expect([selector?.matchLabels, service?.spec.selector, budget?.spec.selector?.matchLabels]).toEqual([
      labels,
      labels,
      labels,
    ]);
    const [container] = template?.spec.containers ?? [];
    expect(template?.spec.volumes.map(({ name }) => name)).toEqual(
      container?.volumeMounts.map(({ name }) => name),
    );
    expect(container).toMatchObject({
      ports: [{ name: "http", containerPort: 8080 }],
      readinessProbe: { httpGet: { path: "/api/v1/trading/health/ready", port: "http" } },
      livenessProbe: { httpGet: { path: "/api/v1/trading/health/live", port: "http" } },
    });
    expect(template?.spec.securityContext).toMatchObject({ runAsNonRoot: true });
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
