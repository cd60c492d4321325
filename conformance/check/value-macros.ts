import {
  type Field,
  failedOutcomes,
  orderFields,
  pairFields,
  resultTypes,
  sizeFields,
} from "../contract/fields.ts";
import { isOpen } from "../model/expr.ts";
import type { Value, ValueMap } from "../model/value.ts";

/** Macros for matched values. Each field cites its own clause, so one bad field is one line of the report. */
const definitions: Readonly<Record<string, () => Value>> = {
  orderShape: () => shapeOf(orderFields),
  orderResult: orderResultShape,
  failedOutcome: () => ({
    type: { $cite: "RES-02", is: { $in: [...failedOutcomes] } },
    order: { $cite: "RES-05", is: "$absent" },
    message: { $cite: "RES-07", is: { $re: "\\S" } },
  }),
  productGroup: () => ({
    name: { $cite: "PRD-02", is: { $type: "string" } },
    availablePairs: { $cite: "PRD-03", is: { $each: pairShape() } },
  }),
  productPair: pairShape,
  // The specification does not show the shape of refusals: a problem document has the reason in `detail`, other bodies
  // in a message.
  saysWhy: () => ({ $cite: "ERR-05", is: { $anyOf: [{ message: aReason }, { detail: aReason }] } }),
};

const aReason: Value = { $anyOf: [{ $re: "\\S" }, { $each: { $re: "\\S" } }] };

export const valueMacroNames: readonly string[] = Object.keys(definitions);

export function expandValueMacro(name: string): Value {
  const expand = definitions[name];
  if (expand === undefined) throw new Error(`unknown macro ${name}`);
  return expand();
}

export function valueMacroProblem(name: string): string | undefined {
  return Object.hasOwn(definitions, name) || isOpen(name)
    ? undefined
    : `has no "${name}" here: use ${valueMacroNames.join(", ")}`;
}

function shapeOf(fields: readonly Field[]): ValueMap {
  return Object.fromEntries(fields.map((field) => [field.name, fieldMatcher(field)]));
}

export function fieldMatcher(field: Field): Value {
  const typed = field.nullable ? { $nullable: kindMatcher(field.kind) } : kindMatcher(field.kind);
  return { $cite: field.clause, is: field.required ? typed : { $optional: typed } };
}

function kindMatcher(kind: Field["kind"]): Value {
  if (typeof kind === "object") return { $in: [...kind.oneOf] };
  switch (kind) {
    case "string":
      return { $type: "string" };
    case "nonEmpty":
      return { $allOf: [{ $type: "string" }, { $len: { gte: 1 } }] };
    case "decimal":
      return { $format: "decimal" };
    case "date-time":
      return { $format: "iso8601" };
    case "boolean":
      return { $type: "boolean" };
    case "uuid":
      return { $format: "uuid" };
    case "product-id":
      return { $format: "product-id" };
    case "identifier":
      // Declared as object, but described as an identifier string: both readings are legal (ORD-10).
      return { $type: ["string", "object"] };
    case "objects":
      return { $each: { $type: "object" } };
    default:
      return kind satisfies never;
  }
}

function pairShape(): Value {
  const sizes = sizeFields.map(({ name, clause, required }): [string, Value] => {
    const shape: Value = { $type: ["object", "string", "null"] };
    return [name, { $cite: clause, is: required ? "$present" : { $optional: shape } }];
  });
  return { ...shapeOf(pairFields), ...Object.fromEntries(sizes) };
}

function orderResultShape(): Value {
  return {
    type: { $cite: "RES-02", is: { $in: [...resultTypes] } },
    message: { $cite: "RES-06", is: { $optional: { $type: ["string", "null"] } } },
    order: { $optional: { $nullable: shapeOf(orderFields) } },
  };
}
