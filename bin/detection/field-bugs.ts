/**
 * Mechanical bugs in single fields: for each field of the document's records all values that the field tables forbid.
 * The clauses that may convict are those of the register that name the field.
 */
import type { KnownDefect } from "../../simulator/index.ts";
import type { SpecClause } from "./catalogue.ts";

export interface SpecField {
  readonly name: string;
  readonly type: string | readonly string[];
  readonly required: boolean;
  readonly nullable: boolean;
  readonly enum?: string;
  readonly format?: string;
}

export type SpecRecords = Readonly<Record<string, { readonly fields: readonly SpecField[] }>>;

/** Each record by its name in an id, with the family of the clauses that speak of its fields. */
const records = [
  ["order", "Order", "ORD"],
  ["pair", "ProductPair", "PRD"],
  ["group", "ProductGroup", "PRD"],
  ["envelope", "Envelope", "ENV"],
  ["result", "OrderResult", "RES"],
] as const;
const jsonTypes = ["string", "number", "boolean", "object", "array"];
/** Clauses that name no field and notice a wrong one all the same. */
const alsoNoticed: Readonly<Record<string, readonly string[]>> = {
  "pair.base": ["PRD-16"],
  "envelope.data": ["GEN-07"],
};
/** Values that the document only advises against. */
const advised = /^GM:(?:envelope\.message:null|pair\.(?:min|max)OrderSize:(?!absent))/;

export function fieldBugs(tables: SpecRecords, clauses: readonly SpecClause[]): KnownDefect[] {
  return records.flatMap(([short, name, family]) =>
    (tables[name]?.fields ?? []).flatMap((field) => {
      const told = clauses.filter(
        ({ id, where }) => id.startsWith(family) && where?.field?.split(", ").includes(field.name),
      );
      const always = [...told.map(({ id }) => id), ...(alsoNoticed[`${short}.${field.name}`] ?? [])];
      return mutationsOf(field).map((mutation): KnownDefect => {
        const id = `GM:${short}.${field.name}:${mutation}`;
        const violates = [...always, ...formatClauses(field, mutation)];
        return { id, title: id, violates, ...(advised.test(id) ? { level: "recommended" } : {}) };
      });
    }),
  );
}

/** All values that the field table forbids. */
function mutationsOf(field: SpecField): string[] {
  const types = [field.type].flat();
  const { format = "" } = field;
  return [
    ...(field.required ? ["absent"] : []),
    ...(field.nullable ? [] : ["null"]),
    ...jsonTypes.filter((type) => !types.includes(type)),
    ...(field.enum === undefined ? [] : ["other"]),
    ...(["decimal", "date-time", "uuid", "product-id"].includes(format) ? ["broken"] : []),
    ...(format === "decimal" ? ["exponent"] : []),
    ...(format === "integer" ? ["fraction"] : []),
  ];
}

function formatClauses({ format }: SpecField, mutation: string): readonly string[] {
  if (format === "decimal" && ["number", "broken", "exponent"].includes(mutation)) return ["GEN-04"];
  if (format === "date-time" && mutation !== "absent" && mutation !== "null") return ["GEN-06"];
  return [];
}
