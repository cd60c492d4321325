/** One route as an OpenAPI operation. */
import type { ClaimTable } from "../../auth/claims.ts";
import { invariant } from "../../domain/invariant.ts";
import { inDocument } from "../../schema/document.ts";
import { assetSymbol, isOptional, productIdPattern, type Schema } from "../../schema/fields.ts";
import { snake } from "../../wire/query.ts";
import type { QueryField } from "../../wire/query-fields.ts";
import { ref } from "../../wire/schema.ts";
import type { Route } from "../route.ts";
import { requests } from "./examples.ts";
import type { RecordIds } from "./record-ids.ts";
import { type Node, refusalsOf, successOf } from "./responses.ts";

export function operation(route: Route, claims: ClaimTable, ids: RecordIds): Node {
  const accepted = claims.get(`${route.method} ${route.path}`);
  invariant(accepted !== undefined && accepted !== null, `${route.method} ${route.path} has no claim`);
  const parameters = [...pathParameters(route, ids), ...queryParameters(route)];
  const claim = `Claim: ${accepted.map((name) => `\`${name}\``).join(" or ")}.`;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description === undefined ? claim : `${route.description}\n\n${claim}`,
    "x-claims": accepted,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.request === undefined ? {} : { requestBody: requestBody(route.request) }),
    responses: { [route.response.status]: successOf(route), ...refusalsOf(route) },
  };
}

interface PathParameter {
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string;
}

const ofPath: Readonly<Record<string, PathParameter>> = {
  product: {
    description: "Trading pair, `<BASE>-<QUOTE>`; letter case counts.",
    schema: { type: "string", pattern: productIdPattern },
    example: "BTC-USD",
  },
  symbol: {
    description: "Asset symbol; letter case counts.",
    schema: { type: "string", pattern: assetSymbol },
    example: "BTC",
  },
  id: {
    description: "Id of the record, as the venue gave it.",
    schema: { type: "string", format: "uuid" },
  },
};

function pathParameters({ path }: Route, ids: RecordIds): Node[] {
  return [...path.matchAll(/(\w+)\/\{([A-Za-z]+)\}/g)].map(([, before = "", name = ""]) => {
    const known = ofPath[name];
    invariant(known !== undefined, `nothing is known about the path parameter ${name}`);
    return { name, in: "path", required: true, example: ids[before], ...known };
  });
}

const queryParameters = ({ query = {} }: Route): Node[] =>
  Object.entries(query).map(([name, field]) => queryParameter(name, field));

export function queryParameter(name: string, field: QueryField): Node {
  const { description = "", items, ...schema } = inDocument(field);
  const { description: _same, ...item } = items ?? {};
  const alias = snake(name);
  const notes = [
    ...(items === undefined ? [] : ["Repeat it, or separate values by commas; all when absent."]),
    ...(alias === name ? [] : [`Also accepted as \`${alias}\`.`]),
  ];
  return {
    name,
    in: "query",
    description: [description, ...notes].join(" "),
    required: !isOptional(field),
    ...(items === undefined
      ? { schema }
      : { style: "form", explode: true, schema: { ...schema, items: item } }),
  };
}

function requestBody(name: string): Node {
  const examples = Object.entries(requests[name] ?? {}).map(([title, value]): [string, Node] => [
    title,
    { value },
  ]);
  return {
    required: true,
    content: { "application/json": { schema: ref(name), examples: Object.fromEntries(examples) } },
  };
}
