/** Runs the client once, in a world of its own, and gathers what the rules judge. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ControlledSimulator, startSimulator } from "../../simulator/index.ts";
import type { Kit } from "../control-access.ts";
import { type ClientEnd, runClient } from "./client-process.ts";
import type { Evidence } from "./evidence.ts";
import { othersAt } from "./others.ts";
import { readSent } from "./read-sent.ts";
import { startRelay } from "./relay.ts";
import { readSaid } from "./said.ts";
import { Session } from "./session.ts";
import type { Situation } from "./situation.ts";

export interface Examinee {
  /** For the shell. */
  readonly command: string;
  /** For one situation. */
  readonly limitMs: number;
  readonly seed: number;
  /** Ends the client under way. */
  readonly signal?: AbortSignal | undefined;
}

const candidate = "candidate";
const colleague = "colleague";
const prefix = "/api/v1/trading";

const everything = ["read:orders", "write:orders", "read:account", "read:market-data"];

/** The market moves only where a situation moves it, and orders are matched as they come. */
const worldOf = ({ faults = [] }: Situation, secrets: Readonly<Record<string, string>>): object => ({
  extends: "demo",
  market: "ladder",
  magic: false,
  settings: { matchDelayMs: 0 },
  keys: Object.entries(secrets).map(([name, secret]) => ({
    name,
    keyId: `gw_${name}_${randomBytes(6).toString("hex")}`,
    secret,
    client: "alice",
    claims: everything,
  })),
  faults: faults.map((rule) => ({ key: candidate, ...rule })),
});

export async function runSituation(situation: Situation, examinee: Examinee, kit: Kit): Promise<Evidence> {
  const secret = randomBytes(24).toString("hex");
  await using simulator = await startSimulator({
    world: worldOf(situation, { [candidate]: secret, [colleague]: randomBytes(24).toString("hex") }),
    seed: examinee.seed,
    clock: "real",
    defects: situation.variants ?? [],
  });
  const redactor = new kit.Redactor(new Map([["secret", secret]]));
  const { baseUrl, control } = simulator;
  const session = new Session({ baseUrl, ...keyOf(simulator, colleague) }, kit);
  const ended = new AbortController();
  const others = situation.meanwhile?.(othersAt({ control, session, signal: ended.signal }));
  // A client that ends early leaves the others waiting for it; whatever else goes wrong is an error of ours.
  const done = others?.catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  const end = await runAt(simulator, situation, examinee);
  ended.abort();
  await done;
  return {
    situation,
    sent: await readSent(control, candidate, prefix),
    orders: await session.orders(),
    end,
    said: readSaid(end.stdout),
    revealsSecret: (text) => redactor.finds(text),
  };
}

async function runAt(
  simulator: ControlledSimulator,
  situation: Situation,
  { command, limitMs, signal }: Examinee,
): Promise<ClientEnd> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatewright-exam-"));
  const relay =
    situation.relay === undefined ? undefined : await startRelay(simulator.baseUrl, situation.relay);
  try {
    const task = path.join(folder, `${randomUUID()}.json`);
    await writeFile(task, JSON.stringify({ task: situation.task, orders: situation.orders }));
    const { keyId, secret } = keyOf(simulator, candidate);
    const environment = {
      GATEWRIGHT_BASE_URL: relay?.baseUrl ?? simulator.baseUrl,
      GATEWRIGHT_WS_URL: simulator.wsUrl,
      GATEWRIGHT_KEY_ID: keyId,
      GATEWRIGHT_SECRET: secret,
      GATEWRIGHT_TASK: task,
    };
    return await runClient({ command, environment, mark: task, limitMs, signal });
  } finally {
    relay?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function keyOf({ keys }: ControlledSimulator, wanted: string): { keyId: string; secret: string } {
  const key = keys.find(({ name }) => name === wanted);
  if (key === undefined) throw new Error(`the world of the exam has no key ${wanted}`);
  return { keyId: key.keyId, secret: key.secret };
}
