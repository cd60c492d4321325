/** One gateway, learned and compared with what it does. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf, learn, packageRoot } from "../../conformance/commands.ts";
import type { Way } from "../../conformance/testing/faulty-gateway/defects.ts";
import { startFaultyGateway } from "../../conformance/testing/faulty-gateway/gateway.ts";
import { startGateway } from "../../conformance/testing/foreign-gateway/bugs.ts";
import { profile as foreignProfile } from "../../conformance/testing/foreign-gateway/profile.ts";
import {
  type LegalGatewayOptions,
  legalSecrets,
  startLegalGateway,
} from "../../conformance/testing/legal-gateway/gateway.ts";
import { knownFreedoms, type SimulatorOptions, startSimulator } from "../../simulator/index.ts";
import { faultyTruth, foreignTruth, legalTruth, type Truth } from "./learn-truths.ts";

export type Lesson = Awaited<ReturnType<typeof learn>>;

export interface Compared {
  readonly name: string;
  readonly right: number;
  /** Freedoms that have an option there, and of which learn does not say which. */
  readonly unknown: readonly string[];
  readonly wrong: readonly string[];
  readonly lesson: Lesson;
}

/** The findings of learn, against the behaviour of the gateway. */
export function compare(name: string, lesson: Lesson, truth: Truth): Compared {
  const told = lesson.report.freedoms.filter(({ option }) => option !== "unknown");
  const wrong = told
    .filter(({ freedom, option }) => truth[freedom] !== option)
    .map(
      ({ freedom, option, evidence }) =>
        `${freedom} is ${truth[freedom] ?? "-"}, was read as ${option}: ${evidence[0] ?? ""}`,
    );
  const known = new Set(told.map(({ freedom }) => freedom));
  const unknown = Object.keys(truth).filter((freedom) => truth[freedom] !== "-" && !known.has(freedom));
  return { name, right: told.length - wrong.length, unknown, wrong, lesson };
}

/** The behaviour of our simulator: the chosen options, and the default of all others. */
export function simulatorTruth(chosen: Truth): Truth {
  return { ...Object.fromEntries(knownFreedoms().map(({ id, default: usual }) => [id, usual])), ...chosen };
}

export async function learnSimulator(options: SimulatorOptions): Promise<Lesson> {
  await using simulator = await startSimulator(options);
  const environment = environmentOf(simulator.readyLine());
  return await learn({ profile: join(packageRoot(), "fixtures/profiles/simulator.yaml"), environment });
}

export async function learnLegal({
  variations = [],
  errors = "json",
}: LegalGatewayOptions): Promise<Compared> {
  const gateway = await startLegalGateway({ variations, errors, cancel: true });
  const profile = [
    "kit: 1",
    "name: legal",
    `baseUrl: ${gateway.baseUrl}`,
    "credentials:",
    `  trader: { keyId: ${gateway.keyId}, secret: '\${env:SECOND_SECRET}', client: A, claims: ['read:orders', 'write:orders'] }`,
    `  reader: { keyId: ${gateway.reader.keyId}, secret: '\${env:SECOND_READER}', client: A, claims: ['read:orders'] }`,
    `  otherClient: { keyId: ${gateway.other.keyId}, secret: '\${env:SECOND_OTHER}', client: B, claims: ['read:orders', 'write:orders'] }`,
    "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } } }",
    "operations: { cancelOrder: { method: DELETE, path: '/orders/{id}' } }",
    "",
  ].join("\n");
  try {
    const lesson = await learnFrom(profile, legalSecrets);
    const name = ["legal", ...variations, ...(errors === "json" ? [] : [`errors as ${errors}`])].join(" ");
    return compare(name, lesson, legalTruth(variations, errors));
  } finally {
    await gateway.close();
  }
}

export async function learnFaulty(ways: readonly Way[]): Promise<Compared> {
  const gateway = await startFaultyGateway([], ways);
  try {
    const lesson = await learnFrom(gateway.profile, gateway.environment);
    return compare(["trading", ...ways].join(" "), lesson, faultyTruth(ways));
  } finally {
    await gateway.close();
  }
}

export async function learnForeign(): Promise<Compared> {
  await using gateway = await startGateway();
  return compare("foreign", await learn(foreignProfile(gateway)), foreignTruth);
}

async function learnFrom(profile: string, environment: Readonly<Record<string, string>>): Promise<Lesson> {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-learn-"));
  const file = join(folder, "profile.yaml");
  try {
    await writeFile(file, profile);
    return await learn({ profile: file, environment });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * A world that was learned, served and learned again. Compared is what the world chooses: no more is promised of a
 * target that is no simulator.
 */
export async function learnAgain(name: string, lesson: Lesson): Promise<Compared> {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-learn-"));
  const world = join(folder, "learned.world.yaml");
  try {
    await writeFile(world, lesson.world);
    await using simulator = await startSimulator({ world });
    const plain = await readFile(join(packageRoot(), "fixtures/profiles/simulator.yaml"), "utf8");
    // A world of another target has other products.
    const profile = plain.replace(/^ {2}(?:disabledProduct|limits): .*\n/gm, "");
    const again = await learnFrom(profile, environmentOf(simulator.readyLine()));
    const chosen = [...lesson.world.matchAll(/^ {2}(F-[\w-]+): "([^"]*)"/gm)];
    const truth = Object.fromEntries(chosen.map(([, freedom = "", option = ""]) => [freedom, option]));
    const freedoms = again.report.freedoms.filter(({ freedom }) => Object.hasOwn(truth, freedom));
    return compare(name, { ...again, report: { ...again.report, freedoms } }, truth);
  } finally {
    await rm(folder, { recursive: true });
  }
}
