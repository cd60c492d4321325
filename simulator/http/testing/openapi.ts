/** The OpenAPI document as tests read it. */
import type { Schema } from "../../schema/fields.ts";

export interface Content {
  readonly "application/json": {
    readonly schema: Schema;
    readonly examples: Readonly<Record<string, Ref | { readonly value: unknown }>>;
  };
}

export interface Ref {
  readonly $ref: string;
}

export interface Response {
  readonly content: Content;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly operationId: string;
  readonly "x-claims"?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Ref | Response>>;
}

export interface OpenApi {
  readonly info: { readonly description: string };
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, { readonly name: string }>>;
  };
}

/** The target of a reference, or the value itself. */
export function resolve<T extends object>(document: OpenApi, node: T | Ref | undefined): Exclude<T, Ref> {
  if (node === undefined) throw new Error("there is nothing to resolve");
  // as: a value that is not a reference is the thing itself.
  if (!("$ref" in node)) return node as Exclude<T, Ref>;
  let found: unknown = document;
  for (const name of node.$ref.slice(2).split("/"))
    found = (found as Readonly<Record<string, unknown>>)[name];
  // as: a dangling reference gives undefined, and the linter finds those.
  return found as Exclude<T, Ref>;
}
