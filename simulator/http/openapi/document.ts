/** The writer of OpenAPI 3.1 documents: one for the routes of the gateway, one for the controls of the sandbox. */
import { inDocument } from "../../schema/document.ts";
import { isOptional, type Schema, type Shape } from "../../schema/fields.ts";
import { snake } from "../../wire/query.ts";
import type { QueryField } from "../../wire/query-fields.ts";
import type { Endpoint } from "../endpoint.ts";
import { enveloped, type Node, type RefusalStyle, refusalResponses, type Shown } from "./responses.ts";

export interface PathParameter {
  readonly description: string;
  readonly schema?: Schema;
  readonly example?: string | undefined;
}

/** What a document says of an endpoint besides the endpoint itself. */
export interface Description {
  readonly tag: string;
  readonly description: string;
  /** Further members of the operation. */
  readonly more?: Node;
  /** Bodies by a name for people. */
  readonly bodies: Readonly<Record<string, unknown>>;
  readonly done: string;
  readonly examples: Readonly<Record<string, { readonly message: string; readonly data: unknown }>>;
  readonly refusals: readonly Shown[];
}

/** What is the same for every endpoint of a surface. */
export interface DocumentStyle extends RefusalStyle {
  /** By its name, and the segment in front of it. */
  readonly parameter: (name: string, before: string) => PathParameter;
  readonly schema: (shape: Shape<unknown>) => Schema;
}

interface Frame {
  readonly info: { readonly title: string; readonly version: string } & Node;
  readonly server: string;
  readonly tags: readonly Node[];
  readonly securitySchemes: Readonly<Record<string, Node>>;
  readonly components: Node;
}

export function document(
  { info, server, tags, securitySchemes, components }: Frame,
  paths: Readonly<Record<string, Node>>,
): Node {
  const names = Object.keys(securitySchemes);
  return {
    openapi: "3.1.0",
    info: { ...info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: server, description: "This venue" }],
    tags,
    security: names.length === 0 ? [] : [Object.fromEntries(names.map((name) => [name, []]))],
    paths,
    components: { ...(names.length === 0 ? {} : { securitySchemes }), ...components },
  };
}

export function pathsOf<E extends Endpoint>(
  endpoints: readonly E[],
  style: DocumentStyle,
  describe: (endpoint: E) => Description,
): Readonly<Record<string, Node>> {
  const paths: Record<string, Record<string, Node>> = {};
  for (const endpoint of endpoints)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(
      endpoint,
      style,
      describe(endpoint),
    );
  return paths;
}

function operation(
  { operationId, summary, path, query = {}, body, answer }: Endpoint,
  style: DocumentStyle,
  { tag, description, more, bodies, done, examples, refusals }: Description,
): Node {
  const ofPath = [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, before = "", name = ""]) => {
    return { name, in: "path", required: true, ...style.parameter(name, before) };
  });
  const parameters = [
    ...ofPath,
    ...Object.entries(query).map(([name, field]) => queryParameter(name, field)),
  ];
  const { status = 200, schema } = answer;
  const { signed } = style;
  const success = { status, description: done, data: style.schema(schema), examples, signed };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...more,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(style.schema(body.shape), bodies) }),
    responses: { [status]: enveloped(success), ...refusalResponses(style, refusals) },
  };
}

function bodyOf(schema: Schema, bodies: Readonly<Record<string, unknown>>): Node {
  const examples = Object.entries(bodies).map(([name, value]): [string, Node] => [name, { value }]);
  return {
    required: true,
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
  };
}

function queryParameter(name: string, field: QueryField): Node {
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
