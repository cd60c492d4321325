/** The controls as an OpenAPI 3.1 document, from the records that read their bodies. Loaded at the first request for it. */
import { errorStatus } from "../http/errors.ts";
import { type DocumentStyle, document, pathsOf } from "../http/openapi/document.ts";
import { type RefusalText, refusalTexts, type TradingCode } from "../http/openapi/refusal-texts.ts";
import {
  headerSet,
  type Node,
  refusalExample,
  type Shown,
  sharedResponses,
} from "../http/openapi/responses.ts";
import { withoutSentences, withUnits } from "../schema/document.ts";
import type { Schema } from "../schema/fields.ts";
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
  return document(
    {
      info: {
        title: "Gatewright control surface",
        version,
        summary: "Controls of the sandbox",
        description: controlDescription,
      },
      server: prefix,
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      securitySchemes: {
        ControlToken: {
          type: "http",
          scheme: "bearer",
          description: "Printed by `serve`; another at each start.",
        },
      },
      components: {
        schemas: components(),
        headers: { ...headers() },
        responses: sharedResponses(style, [...always, ...ofBodies].map(shownIn(`${prefix}/clock`))),
      },
    },
    pathsOf(allControls, style, (route) => ({
      tag: tagOf(route),
      description: `\`\`\`sh\n${command(route, `http://${host}${prefix}`)}\n\`\`\``,
      ...(route.open === true ? { more: { security: [] } } : {}),
      bodies: { example: route.body?.example },
      done: "Done",
      examples: { [route.operationId]: { message: "Done", data: route.answer.example } },
      refusals: refusalsOf(route, prefix),
    })),
  );
}

const controlDescription = `
What a sandbox can do that no gateway can: move the clock, provoke failures, print trades, credit wallets. Everything that
changes something is a journaled command, so a replay needs neither the calls nor the token. Answers come in the envelope of the
gateway. A body is a closed list of members: a refusal names every mistake and shows a body that is taken. In a body that is not a
list of fault rules or settings, \`null\` counts as absent.

The interface of the gateway itself is [openapi.json](openapi.json), its stream [asyncapi.json](asyncapi.json).
`.trim();

export const tags = {
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

export function tagOf({ path }: ControlRoute): keyof typeof tags {
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
  rule: { description: "Id of a fault rule in force.", example: "lost" },
  requestId: { description: "The `x-request-id` of the answer.", example: "req-00000002" },
  trade: { description: "Number of the trade.", example: "1" },
  seq: { description: "Number of the entry.", example: "12" },
  id: { description: "Id of the record.", example: "8f14e45f-ceea-467f-a83c-91d6a2f4a001" },
};

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

function inDocument(schema: object): Schema {
  const shown = reference(schema);
  // as: what is left of the words of a world file is JSON Schema.
  return (shown === schema ? withUnits(schema, reference) : shown) as Schema;
}

/** Records of the gateway that controls show. */
const gatewayRecords =
  "AccountFee Candle Deposit EditHistoryEntry ErrorBody ErrorDetail Order OrderEditHistoryEntry Wallet".split(
    " ",
  );

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

const style: DocumentStyle = {
  shared: {
    403: "Forbidden",
    413: "PayloadTooLarge",
    415: "UnsupportedMediaType",
    500: "InternalError",
    503: "Unavailable",
  },
  signed: false,
  example: refusalExample,
  parameter: (name) => ({ schema: { type: "string" }, ...(pathParameters[name] ?? { description: "" }) }),
  schema: inDocument,
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

const shownIn =
  (path: string) =>
  (code: TradingCode): Shown => ({
    code,
    status: errorStatus[code],
    path,
    ...(ownTexts[code] ?? refusalTexts[code]),
  });

/** A body that no control takes. */
export const nonsense = { nonsense: true };

function refusalsOf(route: ControlRoute, prefix: string): Shown[] {
  const sendsBody = route.method === "POST" || route.method === "PUT";
  const common: readonly TradingCode[] = [
    ...(route.open === true ? [] : always),
    ...(sendsBody ? ofBodies : (["UNEXPECTED_BODY"] as const)),
    ...(route.query === undefined ? [] : (["INVALID_QUERY"] as const)),
  ];
  const own = (route.refusals ?? []).map(
    ({ params, ...refusal }): Shown => ({
      ...withExample(refusal, route),
      status: errorStatus[refusal.code],
      path: prefix + examplePath(route, params),
    }),
  );
  const path = prefix + examplePath(route);
  return [...(sendsBody ? [wrongBody(route, path)] : []), ...own, ...common.map(shownIn(path))];
}

/** The message with which the reader of bodies refuses one. */
function wrongBody(route: ControlRoute, path: string): Shown {
  const read = readBody(route, nonsense);
  const { message, details = [] } = read.ok ? { message: "" } : read.error;
  const when = "The body is not of the shape; `details` names every mistake.";
  return { code: "VALIDATION_FAILED", status: 400, when, message, details, path };
}
