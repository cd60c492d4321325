/**
 * Mechanical bugs in single fields: `GM:<record>.<field>:<mutation>`. Which of them are bugs, and of which clause, follows
 * from the field tables and the register (`bin/detection/field-bugs.ts`); here is only how to make one.
 */
import { bug, type Defect } from "../variations/defect.ts";
import { type Fields, mapBody, parseObject } from "../variations/json.ts";

/** How each record is recognised inside an answer. The envelope is the answer itself. */
const records: Readonly<Record<string, (value: Fields) => boolean>> = {
  order: (value) => "clientOrderId" in value && "status" in value,
  pair: (value) => "apiEnabled" in value && "base" in value,
  group: (value) => "availablePairs" in value,
  result: (value) => "type" in value && !("status" in value) && ("order" in value || "message" in value),
};

const absent = Symbol("absent");

/** The wrong value of the field, made from the right one, which may be null. */
const mutations: Readonly<Record<string, (value: unknown) => unknown>> = {
  absent: () => absent,
  null: () => null,
  string: () => "text",
  number: (value) =>
    typeof value === "string" && value !== "" && !Number.isNaN(Number(value)) ? Number(value) : 7,
  boolean: () => true,
  object: () => ({}),
  array: () => [1],
  other: () => "SOMETHING_ELSE",
  broken: () => "not-of-this-format",
  exponent: () => "1e-7",
  fraction: (value) => (typeof value === "number" ? value + 0.5 : 0.5),
};

const name = /^GM:([a-z]+)\.([A-Za-z]+):([a-z]+)$/;

/** The mutant of that name; undefined when the name is none. */
export function fieldMutant(id: string): Defect | undefined {
  const [, record = "", field = "", mutation = ""] = name.exec(id) ?? [];
  const mutate = mutations[mutation];
  const isRecord = records[record];
  if (mutate === undefined || (isRecord === undefined && record !== "envelope")) return undefined;
  const change = (value: Fields): Fields => replaced(value, field, mutate(value[field]));
  return bug(id, id, [], () => ({
    answer: (answer) => {
      if (answer.status >= 300) return answer;
      const body =
        isRecord === undefined
          ? JSON.stringify(change(parseObject(answer.body)))
          : mapBody(answer.body, (value) => (isRecord(value) ? change(value) : value));
      return { ...answer, body };
    },
  }));
}

function replaced(value: Fields, field: string, mutated: unknown): Fields {
  if (mutated !== absent) return { ...value, [field]: mutated };
  const { [field]: _dropped, ...rest } = value;
  return rest;
}
