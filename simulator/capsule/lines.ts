/** The members that a line of a capsule may have, besides its kind. */

import type { FiredFault } from "../domain/fault.ts";
import {
  flag,
  integer,
  list,
  maybe,
  optional,
  patterned,
  type Schema,
  type Shape,
  section,
  text,
} from "../schema/fields.ts";
import { type CapsuleHeader, hashKept, type KeptBody } from "./capsule.ts";

// as: a schema is plain data; its type says what it lets pass.
const shaped = <T>(schema: Schema): Shape<T> => schema as Shape<T>;

const count = (description: string): Shape<number> => integer(0, Number.MAX_SAFE_INTEGER, description);
const words = (description: string): Shape<string> => shaped({ type: "string", description });
/** Anything below a list or an object: the engine decides what a command may hold. */
const anything: Schema = { additionalProperties: true, items: { additionalProperties: true } };
const body = shaped<KeptBody>({
  type: ["string", "object"],
  properties: { length: count("Of the whole body."), text: words("As text."), base64: words("As base64.") },
  required: ["length"],
  additionalProperties: false,
});

export const HeaderLine: Shape<CapsuleHeader> = section({
  version: count("Of the format."),
  program: text(64, "Version of the package."),
  engine: text(64, "Version of the engine."),
  node: text(64, "Version of Node."),
  world: text(64, "Name of the world."),
  keySuffix: words("What key ids end in."),
  seed: count("Seed of the world."),
  digest: text(64, "SHA-256 of the world."),
  epoch: count("Resets before."),
  started: count("Market time of the beginning."),
  exchangesFrom: count("Time of the first exchange."),
  entries: count("Entries."),
  exchanges: count("Exchanges."),
  leftOut: count("Exchanges that held a secret."),
  hash: patterned("^([0-9a-f]{32})?$", "must be hexadecimal", "Chain hash of the last entry."),
});

export const EntryLine = section({
  seq: count("Number."),
  at: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "Milliseconds since the beginning."),
  command: text(64, "Kind of the command."),
  args: shaped<object>({ type: ["array", "object"], ...anything }),
  hash: patterned(`^[0-9a-f]{${hashKept},32}$`, "must be hexadecimal", "Beginning of its chain hash."),
});

const fault = shaped<FiredFault>(
  section({ rule: words("Id of the rule."), kind: words("Kind."), refused: flag("Whether it refused.") }),
);

export const ExchangeLine = section({
  id: words("Its id."),
  stream: optional(flag("A WebSocket.")),
  at: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "Milliseconds since the first."),
  ms: count("How long it took."),
  key: maybe(words("Name of the key.")),
  after: count("The last entry before it."),
  answered: optional(count("The last entry of what its answer shows.")),
  caused: optional(count("The last entry that it caused.")),
  kit: optional(flag("Sent by Gatewright's kit.")),
  method: words("Method."),
  target: words("Path and query."),
  body: optional(body),
  status: integer(0, 999, "Status of the answer."),
  code: optional(words("Code of the refusal.")),
  answer: optional(body),
  faults: optional(list(fault, "Faults that took effect.")),
});
