import type { Schema } from "./fields.ts";

/** The schema with a title for itself and for each record and enumeration in it: generators name their types by these. */
export function titled(name: string, schema: Schema): Schema {
  const { properties, items, oneOf, enum: values, title = name, additionalProperties } = schema;
  return {
    ...(properties !== undefined || values !== undefined || oneOf !== undefined ? { title } : {}),
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([member, inner]) => [
              member,
              titled(title + capital(member), inner),
            ]),
          ),
        }),
    ...(items === undefined ? {} : { items: titled(`${title}Item`, items) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map((each, at) => titled(`${title}${at + 1}`, each)) }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: titled(`${title}Value`, additionalProperties) }
      : {}),
  };
}

const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
