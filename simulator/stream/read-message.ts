/**
 * Reads a message of a client into a value that cannot be malformed: known channels, plain texts, nothing of a prototype.
 * Products and claims are checked later, by code that knows the venue.
 */
import { err, ok, type Result } from "../domain/result.ts";
import { jsonLimits, parseJson } from "../http/parse-json.ts";
import { printable } from "../http/printable.ts";
import { decode } from "../schema/decode.ts";
import { type Path, type PathProblem, spellIssue, spellPath } from "../schema/problem.ts";
import type { Granularity } from "../wire/granularity.ts";
import type { Channel, StreamErrorCode } from "./channels.ts";
import { clientMessage } from "./client-messages.ts";

export interface SubscribeRequest {
  readonly type: "subscribe" | "unsubscribe";
  readonly channels: readonly Channel[];
  /** Null: none were named. */
  readonly products: readonly string[] | null;
  readonly granularity: Granularity | null;
  readonly requestId: string | null;
}

export type ClientMessage = SubscribeRequest | { readonly type: "ping"; readonly requestId: string | null };

export interface StreamError {
  readonly code: StreamErrorCode;
  readonly message: string;
  readonly requestId: string | null;
}

export function readMessage(bytes: Uint8Array): Result<ClientMessage, StreamError> {
  const parsed = parseJson(bytes, jsonLimits, "message");
  if (!parsed.ok)
    return wrong("INVALID_JSON", `${parsed.error.message} Send an object such as {"type":"ping"}.`, null);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrong("INVALID_MESSAGE", 'A message is a JSON object such as {"type":"ping"}.', null);
  const fields = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const read = decode(clientMessage, fields);
  if (!read.ok) return refuse(read.error, fields);
  const { type, requestId = null } = read.value;
  if (type === "ping") return ok({ type, requestId });
  const { channel, channels, products = null, granularity = null } = read.value;
  const names = channel === undefined ? channels : [channel];
  if (names === undefined || (channel !== undefined && channels !== undefined))
    return wrong("INVALID_MESSAGE", "Name either channel or channels.", requestId);
  return ok({
    type,
    channels: [...new Set(names)],
    products: products === null ? null : [...new Set(products)],
    granularity,
    requestId,
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** All that is wrong, in one sentence each; the code is that of the first. */
function refuse(problems: readonly PathProblem[], fields: Fields): Result<never, StreamError> {
  const hasId = !problems.some(({ path }) => path[0] === "requestId");
  const requestId = hasId && typeof fields["requestId"] === "string" ? fields["requestId"] : null;
  const sentences = problems
    .slice(0, mostSentences)
    .map((problem) => `${spellPath(problem.path)} ${spellIssue(problem)}`);
  const [code = "INVALID_MESSAGE"] = problems.map(({ path }) => codeOf(path, fields));
  return wrong(code, printable(`${sentences.join(". ")}.`, longestMessage), requestId);
}

const mostSentences = 5;
const longestMessage = 1000;

function codeOf([field, index]: Path, { channels }: Fields): StreamErrorCode {
  if (field === "granularity") return "INVALID_GRANULARITY";
  const isOfName = index !== undefined || (Array.isArray(channels) && channels.length === 0);
  return field === "channel" || (field === "channels" && isOfName) ? "UNKNOWN_CHANNEL" : "INVALID_MESSAGE";
}

const wrong = (
  code: StreamErrorCode,
  message: string,
  requestId: string | null,
): Result<never, StreamError> => err({ code, message, requestId });
