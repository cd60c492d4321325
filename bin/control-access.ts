/** The control surface of a running sandbox, for the commands that use it: where it is, and its answers. */
import process from "node:process";
import { exitCodes } from "../conformance/exit-codes.ts";
import { CommandFailure } from "./command-failure.ts";
import { readyFileFor } from "./run-file.ts";

export type Kit = typeof import("../conformance/commands.ts");

const answerLimitMs = 60_000;

export interface AccessFlags {
  readonly readyFile?: string | undefined;
  readonly controlToken?: string | undefined;
}

/** The controls of a world; of `main` without one. */
export const worldPath = (world: string | undefined): string =>
  world === undefined ? "" : `/worlds/${encodeURIComponent(world)}`;

export interface Access {
  readonly url: string;
  readonly token: string;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

interface Envelope {
  readonly data?: unknown;
  readonly message?: unknown;
}

/** The payload of the answer. A refusal ends with 1, a sandbox that does not answer with 4. */
export async function answerOf(
  { url, token }: Access,
  { method = "GET", path, body }: Asked,
): Promise<unknown> {
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "error",
    signal: AbortSignal.timeout(answerLimitMs),
  }).catch((error: unknown) => {
    throw new CommandFailure(
      `the sandbox at ${url} does not answer: ${causeOf(error)}`,
      exitCodes.targetUnusable,
    );
  });
  // as: the simulator's own envelope, whose members are checked where they are used.
  const envelope = (await reply.json().catch(() => null)) as Envelope | null;
  if (envelope === null)
    throw new CommandFailure(`${url} answers without JSON: is a sandbox there?`, exitCodes.targetUnusable);
  const { data, message } = envelope;
  if (!reply.ok) throw new CommandFailure(String(message), exitCodes.nonConformant);
  return data;
}

const causeOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

export async function accessIn({ readyFile, controlToken }: AccessFlags, kit: Kit): Promise<Access> {
  const file = readyFileFor(readyFile, []);
  if (file === undefined)
    throw new CommandFailure("no sandbox runs in this folder: start one, or name it with --ready-file FILE");
  const ready = await kit.readReadyFile(file);
  const token = controlToken ?? process.env["GATEWRIGHT_CONTROL_TOKEN"] ?? ready.controlToken;
  if (typeof ready.controlUrl !== "string" || typeof token !== "string")
    throw new CommandFailure(`${file} names no control surface: was the sandbox started with --control off?`);
  return { url: ready.controlUrl, token };
}
