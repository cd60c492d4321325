/**
 * The language of scenario files, as TypeBox schemas. They give the types of a file's content, and the JSON Schema for
 * editors and `gatewright lint` (`conformance/schema/scenario.schema.json`). `lint/editor-schema.ts` adds the words.
 *
 * A file is *written* in these types. The reader (`parse/step.ts`) turns it into the tree of `model/step.ts`, and
 * no later code looks at the file again. Properties write steps in these types, so a mistyped key does not compile.
 *
 * The program imports only types from this module; the schemas are needed where the JSON file is made.
 */
import * as Type from "typebox";
import { certificateParts, clauseLevels } from "./clause.ts";
import { safetyClasses } from "./profile.ts";
import type { Value, ValueMap } from "./value.ts";

/** A value of a request: JSON with `${references}` and `{ $generator: argument }` in it. */
export type Expr = Value;
/** The expected value of a part of an answer: JSON with `${references}` and `{ $matcher: argument }` in it. */
export type Matcher = Value;

interface Note {
  readonly description?: string;
}

/** What `lint/editor-schema.ts` defines. */
export type Words = "value" | "matcher" | "status" | "order" | "macro" | "operation" | "captured";

const wordsFor = (name: Words) => ({ $ref: `#/definitions/words/${name}` });
const expr = (): Type.TUnsafe<Expr> => Type.Unsafe<Expr>(wordsFor("value"));
const matcher = (name: Words = "matcher"): Type.TUnsafe<Matcher> => Type.Unsafe<Matcher>(wordsFor(name));
const valuesOf = (name: Words, note: Note = {}): Type.TUnsafe<ValueMap> =>
  Type.Unsafe<ValueMap>({ type: "object", additionalProperties: wordsFor(name), ...note });
const exprs = (note: Note = {}): Type.TUnsafe<ValueMap> => valuesOf("value", note);
const word = <const W extends readonly string[]>(words: W, note: Note = {}): Type.TUnsafe<W[number]> =>
  Type.Unsafe<W[number]>({ enum: [...words], ...note });
const text = (note: Note & { readonly pattern?: string; readonly maxLength?: number } = {}) =>
  Type.Unsafe<string>({ type: "string", ...note });
const constant = <const C extends string | number | boolean>(value: C, note: Note = {}) =>
  Type.Unsafe<C>({ const: value, ...note });
const integer = (bounds: Note & { readonly minimum?: number; readonly maximum?: number } = {}) =>
  Type.Unsafe<number>({ type: "integer", ...bounds });
const flag = (note: Note = {}) => Type.Unsafe<boolean>({ type: "boolean", ...note });
const listOf = <T>(items: Type.TUnsafe<T>, more: Note & { readonly minItems?: number } = {}) =>
  Type.Unsafe<readonly T[]>({ type: "array", items, ...more });
/** One text, or several. */
const texts = (note: Note = {}) =>
  Type.Unsafe<string | readonly string[]>({ type: ["string", "array"], items: { type: "string" }, ...note });

type Members = Readonly<Record<string, Type.TSchema>>;
type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: T[K] } : T;

/** A mapping with these members; all of them are optional except the named ones. */
function mapping<M extends Members, R extends keyof M & string = never>(
  members: M,
  required: readonly R[] = [],
  note: Note & Readonly<Record<string, unknown>> = {},
) {
  return Type.Unsafe<
    ReadonlyDeep<{ [K in R]: Type.Static<M[K]> } & { [K in Exclude<keyof M, R>]?: Type.Static<M[K]> }>
  >({
    type: "object",
    properties: members,
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    ...note,
  });
}

const definition = <T>(name: string): Type.TUnsafe<T> => Type.Unsafe<T>({ $ref: `#/definitions/${name}` });

const times = "[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)";
/** `300ms`, `5s`, `1.5m`. */
const duration = definition<string>("duration");
/** The same, or a reference, for steps whose references are filled before they are read. */
const filledDuration = definition<string>("filledDuration");

const clauseId = { type: "string", pattern: "^(X-)?[A-Z]{3,4}-[0-9]{2,3}[a-z]?$" } as const;
const name = "^[a-z0-9]+(-[a-z0-9]+)*$";
const canonicalParts = ["timestamp", "nonce", "method", "path", "contentType", "bodyHash"] as const;

const signMembers = {
  base: word(["default", "none"], { description: "none sends no auth header at all" }),
  override: mapping(
    {
      keyId: expr(),
      secret: expr(),
      timestamp: expr(),
      nonce: expr(),
      method: expr(),
      path: expr(),
      contentType: expr(),
      bodyHash: expr(),
      order: listOf(word(canonicalParts)),
      joiner: text(),
      suffix: text(),
      algorithm: word(["sha256", "sha1", "sha512", "plain-sha256"]),
    },
    [],
    {
      description:
        "Signed consistently with these wrong values. timestamp: seconds, iso, +1ms, -1h or a literal; method, path, contentType, bodyHash: upper, lower, sha256(text) or a literal.",
    },
  ),
  transform: listOf(
    text({
      pattern:
        "^(upperHex|base64|empty|flipBit\\([0-9]+\\)|rotate\\([0-9]+\\)|truncate\\([0-9]+\\)|prepend\\(.*\\)|append\\(.*\\))$|\\$\\{",
    }),
    { description: "Applied to the finished signature, left to right." },
  ),
  headers: mapping({
    omit: listOf(text()),
    set: exprs(),
    duplicate: listOf(text()),
    rename: exprs(),
    order: listOf(text(), {
      description: "Headers go out in the order of these names; those that are not named follow.",
    }),
  }),
  mutateAfterSign: mapping(
    {
      method: text(),
      path: text(),
      query: text(),
      contentType: text(),
      timestamp: expr(),
      nonce: expr(),
      keyId: expr(),
      body: mapping({
        insertAt: integer(),
        text: text(),
        flipBit: integer(),
        replace: Type.Unsafe<readonly Expr[]>({
          type: "array",
          items: wordsFor("value"),
          minItems: 2,
          maxItems: 2,
        }),
        set: text(),
      }),
    },
    [],
    { description: "Changes what is sent, after the signature was made." },
  ),
  atClock: mapping({ offset: text({ pattern: `^[+-]?${times}$|\\$\\{` }) }, ["offset"], {
    description: "Signed with a clock that differs by this much.",
  }),
};
const signMapping = mapping(signMembers);
/** The mistake in the signature, or `none`, or a reference. */
const sign = Type.Unsafe<string | Type.Static<typeof signMapping>>({
  ...signMapping,
  type: ["object", "string"],
  description: "none, a ${reference}, or the mistake in the signature.",
});

const role = text({ description: "Credential role; trader by default; anonymous sends no auth header." });

const call = mapping({
  op: Type.Unsafe<string>(wordsFor("operation")),
  method: text(),
  path: text({ description: "Path below the base address, or from the root when it starts with //" }),
  as: role,
  params: exprs(),
  query: listOf(
    Type.Unsafe<readonly Expr[]>({ type: "array", items: wordsFor("value"), minItems: 2, maxItems: 2 }),
  ),
  headers: exprs(),
  body: expr(),
  bodyText: text(),
  bodyBase64: text(),
  sign: definition<Sign>("sign"),
  reuse: text({ description: "Send the request of that step again, byte for byte." }),
  pool: word(["fresh", "keepalive"]),
  abandon: word(["sent", "unsent"], {
    description:
      "Close the connection after the last byte of the request, or just before it; there is no answer.",
  }),
});

const wallet = mapping({ of: text(), is: matcher() }, ["of", "is"], {
  description: "Balance, hold and available of one asset in a listing of wallets.",
});

const plainExpectation = mapping({
  status: matcher("status"),
  transport: Type.Unsafe<string | ValueMap>({ type: ["string", "object"] }),
  headers: valuesOf("matcher"),
  contentType: word(["json", "any"]),
  envelope: word(["ok", "error", "any"]),
  body: matcher(),
  bodyText: matcher(),
  order: matcher("order"),
  items: matcher(),
  wallet,
  event: matcher(),
  count: mapping({ of: text(), where: definition<Expectation>("expectation"), is: matcher() }, ["of", "is"]),
  anywhere: mapping({ in: text(), object: matcher(), times: matcher() }, ["object"]),
  $macro: Type.Unsafe<string>(wordsFor("macro")),
  $anyOf: listOf(definition<Expectation>("expectation"), { minItems: 1 }),
});

const condition = mapping({
  clause: text(),
  capability: text(),
  operation: text(),
  credential: text(),
  fact: text(),
  promise: text(),
  target: word(["simulator", "any"]),
  rowWant: expr(),
  all: listOf(definition<Condition>("condition")),
  not: definition<Condition>("condition"),
});

const raw = mapping({
  request: text(),
  body: text(),
  base64: text(),
  as: text(),
  sign: definition<Sign>("sign"),
  chunks: listOf(mapping({ bytes: integer(), pause: duration }, ["bytes"])),
  chunked: flag({
    description:
      "The body leaves as one chunk of HTTP, without a Content-Length: the head says Transfer-Encoding.",
  }),
  halfClose: flag(),
  danger: listOf(word(["bad-length", "control-chars", "oversize", "smuggling"])),
});

const from = word(["connect", "now"], {
  description:
    "connect: from the beginning of the connection; now: later messages only. By default after the last match.",
});
const products = Type.Unsafe<string | readonly string[]>({
  type: ["array", "string"],
  items: { type: "string" },
});
const listing = texts({ description: "A collected list or a step; several make one." });

const streamActions = {
  connect: mapping(
    {
      as: role,
      sign: definition<Sign>("sign"),
      path: text({ pattern: "^/|\\$\\{" }),
      headers: exprs(),
      reuse: text({ description: "The handshake of that step again, byte for byte." }),
      settle: filledDuration,
    },
    [],
    { description: "The signed handshake." },
  ),
  subscribe: mapping({
    channel: text({ description: "The kit's name; the profile maps it." }),
    name: text({ description: "The target's own name, for a channel that the profile does not map." }),
    products,
    with: exprs({ description: "More names for the profile's message." }),
    within: filledDuration,
    ack: constant("none", { description: "Do not wait for a confirmation." }),
  }),
  unsubscribe: mapping({
    channel: text(),
    name: text(),
    products,
    with: exprs(),
    ack: constant("none", { description: "Do not wait for a confirmation." }),
  }),
  send: mapping({ json: expr(), text: text(), base64: text(), ping: text() }, [], { minProperties: 1 }),
  frames: mapping({ hex: text({ pattern: "^[0-9a-fA-F\\s]*$|\\$\\{" }) }, ["hex"], {
    description: "Bytes in place of frames, on this machine only.",
  }),
  expect: mapping({ match: definition<Expectation>("expectation"), within: duration, from }, ["match"]),
  until: mapping({ match: definition<Expectation>("expectation"), within: duration, from, collect: text() }, [
    "match",
  ]),
  collect: mapping({ for: duration, as: text(), match: definition<Expectation>("expectation"), from }, [
    "for",
    "as",
  ]),
  none: mapping({ match: definition<Expectation>("expectation"), for: duration, from }, ["match", "for"]),
  close: mapping({ code: integer({ minimum: 1000, maximum: 4999 }), reason: text() }),
  closed: mapping({ within: filledDuration }),
};

const ws = mapping(
  { on: text({ description: "Which connection; main by default." }), ...streamActions },
  [],
  {
    description: "One action on a WebSocket connection: docs/kit-streams.md.",
    oneOf: Object.keys(streamActions).map((action) => ({ required: [action] })),
  },
);

const steps = listOf(definition<WrittenStep>("step"));

const actions = {
  call: definition<Call>("call"),
  raw,
  ws,
  poll: mapping(
    {
      call: definition<Call>("call"),
      until: definition<Expectation>("expectation"),
      every: duration,
      within: duration,
      stable: integer({ minimum: 1 }),
      backoff: integer({
        minimum: 1,
        maximum: 4,
        description: "Each pause is this many times as long as the one before.",
      }),
    },
    ["call", "until"],
  ),
  never: mapping(
    {
      call: definition<Call>("call"),
      match: definition<Expectation>("expectation"),
      for: duration,
      every: duration,
    },
    ["call", "match", "for"],
  ),
  concurrent: mapping(
    {
      release: word(["barrier", "stagger", "none"]),
      fanout: integer({ minimum: 1, maximum: 64 }),
      branches: listOf(steps, { minItems: 1 }),
      collect: text(),
    },
    ["branches"],
  ),
  repeat: mapping({ times: integer({ minimum: 1, maximum: 1000 }), as: text(), steps }, ["times", "steps"]),
  group: mapping({ name: text(), steps }, ["steps"]),
  use: Type.Unsafe<string | { readonly fragment: string; readonly with?: ValueMap }>({
    ...mapping({ fragment: text(), with: exprs() }, ["fragment"]),
    type: ["string", "object"],
  }),
  assert: mapping({
    left: expr(),
    is: matcher(),
    of: text({
      description: "Judge the exchange of an earlier step again, with expect, should, observe and capture.",
    }),
  }),
  check: mapping({
    linearizable: constant("placement"),
    history: listing,
    unique: text(),
    multiset: listing,
    in: listing,
    is: matcher(),
    numbered: texts({ description: "A collected list of stream messages; none is missing by its number." }),
    book: texts({ description: "Collected stream messages that make a book." }),
    equals: text({ description: "The step that got the book over REST." }),
    prices: word(["bids", "asks"]),
  }),
  clock: mapping({ advance: filledDuration, freeze: constant(true), set: text() }),
  inject: exprs({
    description: "A fault of the target's control surface; { clear: true } removes them all.",
  }),
  sleep: duration,
};

const traits = {
  id: text({ pattern: "^[a-z][a-zA-Z0-9]*$" }),
  rows: listOf(exprs()),
  note: text(),
  when: definition<Condition>("condition"),
  spec: Type.Unsafe<string | readonly string[]>({
    type: ["string", "array"],
    items: clauseId,
    minItems: 1,
    pattern: clauseId.pattern,
    description: "The clauses that this tests.",
  }),
  onFail: word(["stop", "continue", "block"], {
    description:
      "After a hard failure: stop the case, or go on. block: the case depends on this step; if its expect does not hold, the case is BLOCKED, which is no verdict on the target.",
  }),
  timeout: duration,
  expect: definition<Expectation>("expectation"),
  should: definition<Expectation>("expectation"),
  observe: definition<Expectation>("expectation"),
  capture: valuesOf("captured", {
    description:
      "name: '#/json/pointer', '#order/field', '#event/field', { header: name }, { status: true }, { request: nonce } or { wallet: asset }",
  }),
};

const step = mapping({ ...traits, ...actions }, [], {
  oneOf: Object.keys(actions).map((action) => ({ required: [action] })),
});

const fragment = mapping(
  {
    kit: constant(1),
    fragment: text({ pattern: name }),
    title: text(),
    vars: exprs(),
    steps: listOf(definition<WrittenStep>("step"), { minItems: 1 }),
    shared: flag({
      description:
        "Its steps run once per run, for the first case that uses it; the other cases reuse the results.",
    }),
  },
  ["kit", "fragment", "steps"],
);

const [, ...deeperParts] = certificateParts;
const caseLevels = clauseLevels.filter((level) => level !== "untestable");

const wordsOf = (pattern?: string) =>
  Type.Unsafe<readonly string[]>({
    type: "array",
    items: { type: "string", ...(pattern === undefined ? {} : { pattern }) },
  });

const certificate = word(deeperParts, {
  description:
    "Only runs whose level has this part try the case, because it tests more than core asks for. A row can state its own.",
});
const safety = word(safetyClasses, {
  description: "The effect that it may have on an account. A row can state its own.",
});

const scenario = mapping(
  {
    certificate,
    kit: constant(1),
    id: text({ pattern: name }),
    title: text({ maxLength: 120 }),
    why: text(),
    spec: Type.Unsafe<readonly string[]>({ type: "array", minItems: 1, items: clauseId }),
    level: word(caseLevels),
    assumes: wordsOf("^AS-[0-9]{2}$"),
    since: text(),
    tags: wordsOf(),
    requires: mapping({
      capabilities: wordsOf(),
      operations: wordsOf(),
      routes: wordsOf(),
      credentials: wordsOf(),
      targetFacts: wordsOf(),
    }),
    safety,
    isolation: word(["shared", "account", "product", "exclusive"]),
    cost: mapping({ requests: integer({ minimum: 0 }), orders: integer({ minimum: 0 }) }, [], {
      description:
        "The most that one case may send; gatewright lint reports steps that need more, and the run enforces it.",
    }),
    timeout: duration,
    vars: exprs(),
    matrix: Type.Unsafe<Readonly<Record<string, readonly Expr[]>>>({
      type: "object",
      additionalProperties: { type: "array", items: wordsFor("value"), minItems: 1 },
    }),
    rows: Type.Unsafe<readonly ValueMap[]>({
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          safety: { $ref: "#/properties/safety" },
          certificate: { $ref: "#/properties/certificate" },
        },
        additionalProperties: wordsFor("value"),
      },
    }),
    setup: steps,
    steps: listOf(definition<WrittenStep>("step"), { minItems: 1 }),
    cleanup: steps,
    origin: mapping({
      property: text(),
      tuple: text({ description: "the place in the table of its property" }),
      seed: integer(),
      path: text(),
      kitVersion: text(),
      recorded: text({ description: "when the recording began that this was made of" }),
      target: text(),
      observed: Type.Unsafe<readonly Value[]>({ type: "array" }),
      runs: integer(),
      shrinks: integer(),
      stepsAtFirst: integer(),
      confirmed: text(),
    }),
  },
  ["kit", "id", "title", "spec", "steps"],
);

/** The JSON Schema of scenario files and fragments, without the words. */
export const scenarioSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  $id: "urn:gatewright:scenario:1",
  title: "Gatewright scenario",
  description:
    "One scenario of the conformance kit. A second layer (gatewright lint) checks what a schema cannot express: most arguments, references, clause ids, expressions.",
  ...scenario,
  definitions: {
    duration: text({ pattern: `^${times}$` }),
    filledDuration: text({ pattern: `^${times}$|\\$\\{` }),
    sign,
    call,
    plainExpectation,
    expectation: {
      type: "object",
      if: { required: ["$switch"] },
      else: { $ref: "#/definitions/plainExpectation" },
    },
    condition,
    step,
    fragment,
  },
};

export type SignMapping = Type.Static<typeof signMapping>;
export type Sign = string | SignMapping;
export type Call = Type.Static<typeof call>;
export type Raw = Type.Static<typeof raw>;
export type Connect = Type.Static<(typeof streamActions)["connect"]>;
export type Subscribe = Type.Static<(typeof streamActions)["subscribe"]>;
export type Unsubscribe = Type.Static<(typeof streamActions)["unsubscribe"]>;
export type Message = Type.Static<(typeof streamActions)["send"]>;
export type Frames = Type.Static<(typeof streamActions)["frames"]>;
export type Close = Type.Static<(typeof streamActions)["close"]>;
export type Closed = Type.Static<(typeof streamActions)["closed"]>;
export type ClockMove = Type.Static<(typeof actions)["clock"]>;
export interface PlainExpectation extends Type.Static<typeof plainExpectation> {}
/**
 * The block counts whose key is the value of `$switch`. The type demands keys without small letters, like a status or a
 * word of the interface, so a mistyped key of an expectation does not compile.
 */
export type SwitchedExpectation = { readonly $switch: Expr } & {
  readonly [branch: Uppercase<string>]: Expectation;
};
export type Expectation = PlainExpectation | SwitchedExpectation;
export interface Condition extends Type.Static<typeof condition> {}
export interface WrittenStep extends Type.Static<typeof step> {}
