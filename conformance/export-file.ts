import { basename } from "node:path";
import { type Exported, exportScenario } from "./export/export-scenario.ts";
import { type Selection, selected } from "./export/select.ts";
import { profileFrom } from "./load-profile.ts";
import { once } from "./load-suite.ts";
import type { Profile } from "./model/profile.ts";
import { kitVersion, packageRoot } from "./package-root.ts";
import type { Environment } from "./parse/profile.ts";
import { scenarioText } from "./parse/write-scenario.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { yamlComment } from "./parse/yaml-text.ts";
import { readTraffic } from "./read-traffic.ts";
import { readExchangeLog } from "./recording/read-exchange-log.ts";
import { verified } from "./recording/verify-signature.ts";
import { schemaLine } from "./schema-line.ts";

export interface ExportFileOptions extends Selection {
  /** The file, or what asks the control surface of a sandbox for its exchanges. */
  readonly file: string | (() => Promise<readonly unknown[]>);
  /** Names the scenario. */
  readonly out: string;
  /** Whose names of operations are used; without it, those of our simulator. */
  readonly profile?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly spec?: readonly string[] | undefined;
  readonly title?: string | undefined;
  /** Tells which signatures of the recording were right. */
  readonly secret?: string | undefined;
}

export interface ExportedFile {
  readonly text: string;
  readonly steps: number;
  readonly remarks: readonly string[];
}

/** Makes a scenario of a recording. Nothing is written here. */
export async function exportFile(options: ExportFileOptions): Promise<ExportedFile> {
  return written(await exportedFrom(options), options.out);
}

/** The same as data; `most`: requests. */
export async function exportedFrom(options: ExportFileOptions, most?: number): Promise<Exported> {
  const { file, out, profile, roles, spec, title } = options;
  const named = profile === undefined ? undefined : await describedBy(profile, process.env);
  const found = typeof file === "string" ? await readTraffic(file) : readExchangeLog(await file());
  const known = options.secret === undefined ? found : verified(found, options.secret);
  const recording = selected(known, options);
  const { operations, baseUrl, stream } = named ?? (await describedByUs());
  return exportScenario(recording, {
    id: idOf(out),
    basePath: basePathOf(recording.target) ?? baseUrl.pathname.replace(/\/+$/, ""),
    operations,
    stream,
    kitVersion: kitVersion(),
    ...(roles === undefined ? {} : { roles }),
    ...(spec === undefined ? {} : { spec }),
    ...(title === undefined ? {} : { title }),
    ...(most === undefined ? {} : { most }),
  });
}

function written({ document, remarks }: Exported, out: string): ExportedFile {
  const { steps } = document;
  const notes = remarks.map((remark) => `# ${yamlComment(remark)}\n`);
  return {
    text: [schemaLine(out), ...notes, scenarioText(document)].join(""),
    steps: Array.isArray(steps) ? steps.length : 0,
    remarks,
  };
}

/** Only names are taken from our own profile, so its address and secrets may be anything. */
const placeholders = {
  GATEWRIGHT_BASE_URL: "http://127.0.0.1:8080/api/v1/trading",
  GATEWRIGHT_TRADER_KEY_ID: "unused",
  GATEWRIGHT_TRADER_SECRET: "unused",
};

const describedByUs = once(() =>
  describedBy(`${packageRoot()}/fixtures/profiles/simulator.yaml`, placeholders),
);

async function describedBy(file: string, environment: Environment): Promise<Profile> {
  using reader = new YamlReader();
  return await (await profileFrom(file, reader))(environment);
}

function basePathOf(target: string | undefined): string | undefined {
  if (target === undefined || !URL.canParse(target)) return undefined;
  const path = new URL(target).pathname.replace(/\/+$/, "");
  return path === "" ? undefined : path;
}

/** A scenario is called like its file. */
export function idOf(out: string): string {
  const id = basename(out)
    .replace(/\.ya?ml$/i, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return id === "" ? "recorded" : id;
}
