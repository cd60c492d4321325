/** The controls as an OpenAPI 3.1 document, from the records that read their bodies. Loaded at the first request for it. */
import { type ErrorCode, errorStatus } from "../http/errors.ts";
import { queryParameter } from "../http/openapi/operation.ts";
import { type RefusalText, refusalTexts, type TradingCode } from "../http/openapi/refusal-texts.ts";
import { enveloped, headerSet, type Node, refusalExample, refused } from "../http/openapi/responses.ts";
import { withoutSentences, withUnits } from "../schema/document.ts";
import type { Shape } from "../schema/fields.ts";
import { schemaComponents } from "../wire/components.ts";
import { FaultRuleSchema } from "../world/schema/faults.ts";
import { SettingsSchema } from "../world/schema/settings.ts";
import { allControls } from "./all-controls.ts";
import type { ControlRoute } from "./control-route.ts";
import { bodyLimits, missingToken } from "./mount.ts";
import { readBody, withExample } from "./read-body.ts";

export interface ControlDocument {
  readonly version: string;
  /** The path of the control surface. */
  readonly prefix: string;
  /** Host and port under which the reader reached the venue, for the commands that can be pasted. */
  readonly host: string;
}

export function controlDocument({ version, prefix, host }: ControlDocument): Node {
  const paths: Record<string, Record<string, Node>> = {};
  for (const route of allControls)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(
      route,
      `http://${host}${prefix}`,
      prefix,
    );
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatewright control surface",
      version,
      summary: "Controls of the sandbox",
      description: controlDescription,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: prefix, description: "This venue" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ ControlToken: [] }],
    paths,
    components: {
      securitySchemes: {
        ControlToken: {
          type: "http",
          scheme: "bearer",
          description: "Printed by `serve`; another at each start.",
        },
      },
      schemas: components(),
      headers: { ...headers() },
      responses: sharedResponses(prefix),
    },
  };
}

const controlDescription = `
What a sandbox can do that no gateway can: move the clock, provoke failures, print trades, credit wallets. Everything that
changes something is a journaled command, so a replay needs neither the calls nor the token. Answers come in the envelope of the
gateway. A body is a closed list of members: a refusal names every mistake and shows a body that is taken. In a body that is not a
list of fault rules or settings, \`null\` counts as absent.

The interface of the gateway itself is [openapi.json](openapi.json), its stream [asyncapi.json](asyncapi.json).
`.trim();

const tags = {
  Venue: "The venue as a whole.",
  Clock: "The market clock. Authentication always runs on real time.",
  Faults: "Failures that the sandbox produces when asked to.",
  Settings: "What the specification leaves open.",
  Products: "Products and their synthetic market.",
  Orders: "Orders of any client.",
  Deposits: "Deposits of any client.",
  Clients: "Clients of the gateway.",
  Keys: "API keys.",
  Exchanges: "What clients sent, and what they got.",
  Worlds: "Isolated worlds of this process. Each control is also there below /worlds/{world}.",
} as const;

function tagOf({ path }: ControlRoute): keyof typeof tags {
  const [, first = ""] = path.split("/");
  const named = Object.keys(tags).find((tag) => tag.toLowerCase() === first);
  // as: it was found among them.
  return (named ?? "Venue") as keyof typeof tags;
}

const pathParameters: Readonly<Record<string, { readonly description: string; readonly example: string }>> = {
  product: { description: "Product id; letter case counts.", example: "BTC-USD" },
  client: { description: "Name of the client in the world.", example: "alice" },
  key: { description: "Name of the key in the world.", example: "reader" },
  world: { description: "Name of the world.", example: "main" },
  freedom: { description: "Id of the freedom.", example: "F-self-trade" },
  requestId: { description: "The `x-request-id` of the answer.", example: "req-00000002" },
  seq: { description: "Number of the entry.", example: "12" },
  id: { description: "Id of the record.", example: "8f14e45f-ceea-467f-a83c-91d6a2f4a001" },
};

function operation(route: ControlRoute, address: string, prefix: string): Node {
  const { operationId, summary, answer, body, open } = route;
  const ofPath = [...route.path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = ""]) => {
    return { name, in: "path", required: true, schema: { type: "string" }, ...pathParameters[name] };
  });
  const parameters = [...ofPath, ...Object.entries(route.query ?? {}).map((one) => queryParameter(...one))];
  const success = enveloped({
    status: 200,
    description: "Done",
    // as: the rest of the words of a world file is JSON Schema.
    data: inDocument(answer.schema) as Shape<unknown>,
    examples: { [operationId]: { message: "Done", data: answer.example } },
    signed: false,
  });
  return {
    operationId,
    tags: [tagOf(route)],
    summary,
    description: `\`\`\`sh\n${command(route, address)}\n\`\`\``,
    ...(open === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: { 200: success, ...refusalsOf(route, prefix) },
  };
}

const requestBody = ({ shape, example }: NonNullable<ControlRoute["body"]>): Node => ({
  required: true,
  content: { "application/json": { schema: inDocument(shape), examples: { example: { value: example } } } },
});

/** The path with the examples of its parameters. */
const examplePath = ({ path }: ControlRoute, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(
    /\{([A-Za-z]+)\}/g,
    (_all, name: string) => params[name] ?? pathParameters[name]?.example ?? name,
  );

function command(route: ControlRoute, address: string): string {
  const token = route.open === true ? "" : ` -H "Authorization: Bearer $TOKEN"`;
  const body =
    route.body === undefined
      ? ""
      : ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(route.body.example)}'`;
  return `curl --noproxy '*' -X ${route.method} ${address}${examplePath(route)}${token}${body}`;
}

const componentNames: ReadonlyMap<object, string> = new Map<object, string>([
  [FaultRuleSchema, "FaultRule"],
  [SettingsSchema, "Settings"],
]);

const reference = (schema: object): object => {
  const name = componentNames.get(schema);
  return name === undefined ? withoutSentences(schema) : { $ref: `#/components/schemas/${name}` };
};

const inDocument = (schema: object): unknown => {
  const shown = reference(schema);
  return shown === schema ? withUnits(schema, reference) : shown;
};

/** Records of the gateway that controls show. */
const gatewayRecords =
  "AccountFee Deposit EditHistoryEntry ErrorBody ErrorDetail Order OrderEditHistoryEntry Wallet".split(" ");

function components(): Node {
  const own = [...componentNames].map(([schema, name]): [string, unknown] => [
    name,
    withUnits(schema, reference),
  ]);
  const gateway = gatewayRecords.map((name): [string, unknown] => [name, schemaComponents[name]]);
  return Object.fromEntries([...own, ...gateway]);
}

const usedHeaders = ["X-Request-Id", "X-API-Version", "Retry-After"];

const headers = (): Node =>
  Object.fromEntries(Object.entries(headerSet).filter(([name]) => usedHeaders.includes(name)));

/** Refusals that are the same on every control that has them. */
const shared: Readonly<Record<number, string>> = {
  403: "Forbidden",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  500: "InternalError",
  503: "Unavailable",
};
const always: readonly TradingCode[] = ["FORBIDDEN", "INTERNAL_ERROR", "NOT_READY", "OUTCOME_UNKNOWN"];
const ofBodies: readonly TradingCode[] = [
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "MALFORMED_JSON",
  "JSON_NOT_ACCEPTED",
];

const { members, depth, stringLength } = bodyLimits;

/** Texts that are others here than on the trading routes. */
const ownTexts: Partial<Record<TradingCode, RefusalText>> = {
  FORBIDDEN: { when: "The token is missing or wrong.", message: missingToken.message },
  JSON_NOT_ACCEPTED: {
    when:
      `The body is JSON and more than is read here: at most ${members} members, ${depth} levels and ${stringLength} characters in ` +
      "a string, and no key `__proto__`.",
    message: `The JSON has more than ${members} members at line 1, column 90112.`,
    details: [
      {
        issue: `has more than ${members} members at line 1, column 90112`,
        bound: "members",
        maximum: members,
      },
    ],
  },
};

const textOf = (code: TradingCode): RefusalText => ownTexts[code] ?? refusalTexts[code];

function sharedResponses(prefix: string): Node {
  const entries = Object.entries(shared).map(([status, name]): [string, Node] => {
    const codes = [...always, ...ofBodies].filter((code) => errorStatus[code] === Number(status));
    const examples = codes.map((code): [string, Node] => [
      code,
      refusalExample(code, Number(status), `${prefix}/clock`, textOf(code)),
    ]);
    return [name, refused(Number(status), codes, Object.fromEntries(examples), false)];
  });
  return Object.fromEntries(entries);
}

/** A body that no control takes. */
export const nonsense = { nonsense: true };

interface Shown extends RefusalText {
  readonly code: ErrorCode;
  readonly path: string;
}

function refusalsOf(route: ControlRoute, prefix: string): Node {
  const sendsBody = route.method === "POST" || route.method === "PUT";
  const common = [
    ...(route.open === true ? [] : always),
    ...(sendsBody ? ofBodies : (["UNEXPECTED_BODY"] as const)),
    ...(route.query === undefined ? [] : (["INVALID_QUERY"] as const)),
  ].map((code): Shown => ({ code, path: prefix + examplePath(route), ...textOf(code) }));
  const own = (route.refusals ?? []).map(
    ({ params, ...refusal }): Shown => ({
      ...withExample(refusal, route),
      path: prefix + examplePath(route, params),
    }),
  );
  const all = [...(sendsBody ? [wrongBody(route, prefix)] : []), ...own, ...common];
  const statuses = [...new Set(all.map(({ code }) => errorStatus[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status): [number, Node] => {
      const name = shared[status];
      if (name !== undefined) return [status, { $ref: `#/components/responses/${name}` }];
      return [
        status,
        ownResponse(
          status,
          all.filter(({ code }) => errorStatus[code] === status),
        ),
      ];
    }),
  );
}

/** The message with which the reader of bodies refuses one. */
function wrongBody(route: ControlRoute, prefix: string): Shown {
  const read = readBody(route, nonsense);
  const { message, details = [] } = read.ok ? { message: "" } : read.error;
  const when = "The body is not of the shape; `details` names every mistake.";
  return { code: "VALIDATION_FAILED", when, message, details, path: prefix + examplePath(route) };
}

function ownResponse(status: number, shown: readonly Shown[]): Node {
  const codes = [...new Set(shown.map(({ code }) => code))];
  const examples: Record<string, Node> = {};
  for (const { code, path, ...text } of shown) {
    const name = code in examples ? `${code}_${Object.keys(examples).length}` : code;
    examples[name] = refusalExample(code, status, path, text);
  }
  return refused(status, codes, examples, false);
}
