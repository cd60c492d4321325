/** The gateway that is watched: where it is, with which key, and what it says before its stream is opened. */

import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { CommandFailure } from "../command-failure.ts";
import { secretFrom } from "../flag-values.ts";
import { readyFileFor } from "../run-file.ts";
import { isThisMachine } from "../this-machine.ts";
import { type Fields, fieldsOf, listOf, textOf } from "./message.ts";

type Reader = kit.Reader;

export interface WatchFlags {
  readonly target?: string | undefined;
  readonly key: string;
  readonly keyId?: string | undefined;
  readonly secretEnv?: string | undefined;
  readonly readyFile?: string | undefined;
  readonly product?: string | undefined;
}

export interface WatchedGateway {
  /** Ends with the prefix of the trading paths. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly reader: Reader;
}

const defaultTarget = "http://127.0.0.1:8080/api/v1/trading";

/** Without flags it is the sandbox of `npm start`, whose demo keys are public. */
export async function gatewayOf(flags: WatchFlags): Promise<WatchedGateway> {
  const { baseUrl, keyId, secret } = await credentialOf(flags);
  const base = addressOf(baseUrl).href;
  const reader = new kit.Reader({ baseUrl: base, keyId, secret, purpose: "watch" });
  return { baseUrl: base, keyId, reader };
}

async function credentialOf(flags: WatchFlags) {
  const { target, key, keyId, secretEnv } = flags;
  const readyFile = readyFileFor(flags.readyFile, [target, keyId, secretEnv]);
  if (readyFile !== undefined) {
    const ready = await kit.readReadyFile(readyFile);
    return { baseUrl: target ?? ready.baseUrl, ...kit.keyIn(ready, key) };
  }
  const baseUrl = target ?? defaultTarget;
  if (keyId !== undefined && secretEnv !== undefined)
    return { baseUrl, keyId, secret: secretFrom(secretEnv) };
  if (keyId !== undefined || secretEnv !== undefined)
    throw new CommandFailure(
      "--key-id and --secret-env belong together: give both, or neither for a demo key",
    );
  if (!isThisMachine(addressOf(baseUrl)))
    throw new CommandFailure(
      "demo keys are for this machine: give --key-id and --secret-env for that target",
    );
  const demo = `gw_demo_${key.replaceAll("-", "_")}`;
  return { baseUrl, keyId: demo, secret: `sandbox-only-secret-of-${demo}` };
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandFailure(
      `--target is the base address of a gateway, such as ${defaultTarget}; it was ${JSON.stringify(text)}`,
    );
  if (url.protocol === "http:" && !isThisMachine(url))
    throw new CommandFailure(
      `credentials are not sent to ${url.hostname} without TLS: use https`,
      exitCodes.safetyStop,
    );
  url.pathname = url.pathname.replace(/\/+$/, "");
  url.search = "";
  return url;
}

/** The product that is asked for, else BTC-USD, else the first that can be traded. */
export async function productOf(gateway: WatchedGateway, wanted: string | undefined): Promise<string> {
  const groups = listOf((await read(gateway, "/product"))["data"]);
  const pairs = groups.flatMap(({ availablePairs }) => listOf(availablePairs));
  const ids = pairs.map(({ id }) => textOf(id));
  const usual = ids.includes("BTC-USD") ? "BTC-USD" : undefined;
  const enabled = pairs.find(({ apiEnabled }) => apiEnabled === true);
  const product = wanted ?? usual ?? (enabled === undefined ? undefined : textOf(enabled["id"]));
  if (product === undefined)
    throw new CommandFailure("the target lists no product", exitCodes.targetUnusable);
  if (wanted !== undefined && !ids.includes(wanted))
    throw new CommandFailure(`the target has no product ${wanted}: it has ${kit.printable(ids.join(", "))}`);
  return product;
}

async function read(gateway: WatchedGateway, route: string): Promise<Fields> {
  const { status, body } = await gateway.reader.get(route).catch((error: unknown) => {
    if (error instanceof kit.SafetyStop) throw error;
    throw new CommandFailure(unreachable(gateway, error), exitCodes.targetUnusable);
  });
  if (status !== 200) throw refusal(gateway, `GET ${route}`, status, body);
  return fieldsOf(parsed(body));
}

/** The order as it is now; undefined when the target knows of none. Rejects when it cannot be asked. */
export async function orderOf(gateway: WatchedGateway, id: string): Promise<Fields | undefined> {
  const { status, body } = await gateway.reader.get(`/order/${encodeURIComponent(id)}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`the order was answered ${status}`);
  return fieldsOf(fieldsOf(parsed(body))["data"]);
}

function unreachable({ baseUrl }: WatchedGateway, error: unknown): string {
  const { host } = new URL(baseUrl);
  const { message } = error as Error;
  if (message.includes("ECONNREFUSED"))
    return `nothing answers at ${host}: start the sandbox with "npm start" or "gatewright serve", or give its address with --target or --ready-file`;
  return `${host} cannot be reached: ${kit.printable(message)}`;
}

/** Why the target refused, in its own words, and what to do about it. */
export function refusal(gateway: WatchedGateway, what: string, status: number, body: string): CommandFailure {
  const answer = fieldsOf(parsed(body));
  const hint = textOf(listOf(answer["details"])[0]?.["hint"]);
  const words = [textOf(answer["message"]), hint].filter((part) => part !== "").join(" ");
  const said = kit.printable(words === "" ? "it gave no reason" : words);
  const { baseUrl, keyId } = gateway;
  const advice =
    status === 401
      ? `Check the key and its secret: --key-id with --secret-env, or --ready-file with the line of "gatewright serve --json"`
      : status === 403
        ? `Choose a key that may read market data: --sign trader, or --key-id with --secret-env`
        : `Is ${baseUrl} the base address of a gateway, ending in /api/v1/trading?`;
  return new CommandFailure(
    `the target refused ${what} for the key ${keyId} with ${status}: ${said} (${advice})`,
    exitCodes.targetUnusable,
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
