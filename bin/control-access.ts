/** The control surface of a running sandbox, for the commands that use it: where it is, and its answers. */
import process from "node:process";
import { Readable } from "node:stream";
import type { Command, OptionValues } from "@commander-js/extra-typings";
import * as kit from "../conformance/commands.ts";
import { exitCodes } from "../conformance/exit-codes.ts";
import type { Shape } from "./answer-shape.ts";
import { CommandFailure } from "./command-failure.ts";
import { collect } from "./flag-values.ts";
import { findReadyFile } from "./run-file.ts";
import { isThisMachine } from "./this-machine.ts";

const answerLimitMs = 60_000;
/** Bounds of an answer. The largest answer is a capsule of 128 MiB in base64. */
const mostAnswerBytes = 201_326_592;
const deepestAnswer = 64;

export interface AccessFlags {
  readonly readyFile?: string | undefined;
  readonly controlToken?: string | undefined;
  readonly allowHost?: readonly string[] | undefined;
}

/** The flags with which a command names the sandbox whose control surface it uses. */
export const withAccessFlags = <Args extends unknown[], Opts extends OptionValues>(
  command: Command<Args, Opts>,
) =>
  command
    .option("--ready-file <file>", "the run file, or the line of `gatewright serve --json`, of the sandbox")
    .option("--control-token <token>", "the control token, if it is not that of the ready file")
    .option(
      "--allow-host <name>",
      "a host on another machine that may get the control token, over https (repeatable)",
      collect,
      [],
    );

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
  /** The answer may take as long as it likes. */
  readonly isPatient?: true;
}

interface PlainRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The payload of the answer. A refusal ends with 1, a sandbox that does not answer with 4. */
export async function answerOf(
  { url, token }: Access,
  { method = "GET", path, body, isPatient }: Asked,
): Promise<unknown> {
  const plain = {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const asking =
    isPatient === true
      ? fetchWithoutLimit(url + path, plain)
      : fetch(url + path, { ...plain, redirect: "error", signal: AbortSignal.timeout(answerLimitMs) });
  const reply = await asking.catch((error: unknown) => {
    throw new CommandFailure(
      `the sandbox at ${url} does not answer: ${causeOf(error)}`,
      exitCodes.targetUnusable,
    );
  });
  const envelope = await envelopeOf(reply);
  if (envelope === undefined)
    throw new CommandFailure(`${url} answers without JSON: is a sandbox there?`, exitCodes.targetUnusable);
  const { data, message } = envelope;
  if (reply.ok) return data;
  const why = typeof message === "string" ? message : `it refuses with ${reply.status}, and gives no reason`;
  throw new CommandFailure(why, exitCodes.nonConformant);
}

/** The fetch of Node gives up after five minutes without an answer. */
async function fetchWithoutLimit(url: string, init: PlainRequest): Promise<Response> {
  const { Client } = await import("undici");
  const { origin, pathname, search } = new URL(url);
  const client = new Client(origin, { headersTimeout: 0, bodyTimeout: 0 });
  const { statusCode, body } = await client.request({ ...init, path: pathname + search, reset: true });
  return new Response(Readable.toWeb(body), { status: statusCode });
}

/** The same, where a command uses what is in it. */
export async function readAnswer<T>(access: Access, asked: Asked, shape: Shape<T>): Promise<T> {
  const data = await answerOf(access, asked);
  if (shape(data)) return data;
  throw new CommandFailure(
    `${access.url} answers ${asked.path} in a form that this version does not know: is a sandbox of this version there?`,
    exitCodes.targetUnusable,
  );
}

interface Envelope {
  readonly data?: unknown;
  readonly message?: unknown;
}

/** Undefined if the answer is not a JSON object, or is longer or deeper than any answer of a sandbox. */
async function envelopeOf(reply: Response): Promise<Envelope | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // as: the types of the web have no iterator for a body.
    for await (const chunk of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > mostAnswerBytes) return undefined;
      chunks.push(chunk);
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return typeof value === "object" && value !== null && isWithin(value, deepestAnswer) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((item) => isWithin(item, levels - 1)));

const causeOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

/** A token that is given goes only to a sandbox that is named; that of this folder gets the token of its run file. */
export async function accessIn(flags: AccessFlags): Promise<Access> {
  const found = findReadyFile(flags.readyFile, []);
  if (found === undefined)
    throw new CommandFailure("no sandbox runs in this folder: start one, or name it with --ready-file FILE");
  const { file, isNamed } = found;
  if (!isNamed && flags.controlToken !== undefined)
    throw new CommandFailure(
      `--control-token goes with --ready-file: the sandbox of this folder has its token in ${file}`,
    );
  const ready = await kit.readReadyFile(file);
  const given = flags.controlToken ?? process.env["GATEWRIGHT_CONTROL_TOKEN"];
  const token = (isNamed ? given : undefined) ?? ready.controlToken;
  if (typeof ready.controlUrl !== "string" || typeof token !== "string")
    throw new CommandFailure(`${file} names no control surface: was the sandbox started with --control off?`);
  return { url: safeUrl(ready.controlUrl, file, flags.allowHost ?? []), token };
}

/** Nobody on the way may read the token. */
function safeUrl(controlUrl: string, file: string, allowed: readonly string[]): string {
  const url = URL.canParse(controlUrl) ? new URL(controlUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandFailure(
      `the controlUrl of ${file} is no address of the web: ${JSON.stringify(controlUrl)}`,
    );
  if (isThisMachine(url) || (url.protocol === "https:" && allowed.includes(url.hostname))) return controlUrl;
  throw new CommandFailure(
    `the controlUrl of ${file} is on another machine, ${url.origin}: the control token goes there only over https, ` +
      `and with --allow-host ${url.hostname}`,
    exitCodes.safetyStop,
  );
}
