/** Fault rules as a person or a scenario writes them, checked before they are journaled. */
import { type Fault, type FaultRule, isOrderFault, isStreamFault } from "../domain/fault.ts";
import { EXCHANGE_REASONS } from "../domain/rejection.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Problem } from "../wire/order-request.ts";
import { type Fields, LONGEST_MOVE_MS, readFields, type Values } from "./fields.ts";

const PLACE_ORDER = "POST /order";

/** Real time that an answer may be late. */
const LONGEST_DELAY_MS = 60_000;

const KIND = { kind: { kind: "text" } } as const;

/** Fields of each fault beside its kind. What becomes a time has an end. */
export const FAULT_FIELDS: Readonly<Record<Fault["kind"], Fields>> = {
  externalFailure: {
    ...KIND,
    outcome: { kind: "text", choices: ["certain", "unknown"] },
    resolvesTo: { kind: "text", choices: ["OPEN", "FAILED"], optional: true },
    afterMs: { kind: "integer", optional: true, max: LONGEST_MOVE_MS },
  },
  internalFailure: KIND,
  clientNotFound: KIND,
  stuckPending: KIND,
  rejectByExchange: { ...KIND, reason: { kind: "text", choices: EXCHANGE_REASONS } },
  neverSync: KIND,
  delay: { ...KIND, ms: { kind: "integer", max: LONGEST_DELAY_MS } },
  delayResponse: { ...KIND, ms: { kind: "integer", max: LONGEST_DELAY_MS } },
  streamDrop: KIND,
  streamDuplicate: KIND,
  streamReorder: KIND,
  streamStall: { ...KIND, ms: { kind: "integer", max: LONGEST_DELAY_MS } },
  streamClose: KIND,
  dropConnectionBefore: KIND,
  dropConnectionAfter: KIND,
  status: { ...KIND, status: { kind: "integer" } },
};

const RULE_FIELDS: Fields = {
  id: { kind: "text" },
  fault: { kind: "value" },
  route: { kind: "text", optional: true },
  product: { kind: "text", optional: true },
  clientOrderIdPrefix: { kind: "text", optional: true },
  key: { kind: "text", optional: true },
  nth: { kind: "integer", optional: true, min: 1 },
  percent: { kind: "integer", optional: true, min: 1, max: 100 },
  count: { kind: "integer", optional: true, min: 1 },
};

const MOST_RULES = 100;

/** What a rule can name; without it, anything. A rule for something that does not exist would wait for ever. */
export interface Nameable {
  readonly route: readonly string[];
  readonly key: readonly string[];
  readonly product: readonly string[];
}

export function readFaultRules(
  value: unknown,
  nameable: Nameable | null = null,
): Result<readonly FaultRule[], readonly Problem[]> {
  if (!Array.isArray(value)) return err([{ field: "rules", issue: "must be a list of rules" }]);
  if (value.length > MOST_RULES)
    return err([{ field: "rules", issue: `must be ${MOST_RULES} rules at the most` }]);
  const problems: Problem[] = [];
  const rules: FaultRule[] = [];
  const seen = new Set<unknown>();
  for (const [index, item] of (value as readonly unknown[]).entries()) {
    const place = (problem: Problem): Problem => ({ ...problem, field: `rules[${index}].${problem.field}` });
    const rule = readFields(RULE_FIELDS, item);
    if (!rule.ok) {
      problems.push(...rule.error.map(place));
      continue;
    }
    if (seen.has(rule.value["id"])) problems.push(place({ field: "id", issue: "is used by another rule" }));
    seen.add(rule.value["id"]);
    if (nameable !== null) problems.push(...unknownNames(rule.value, nameable).map(place));
    const fault = readFault(rule.value["fault"]);
    if (fault.ok && isOrderFault(fault.value) && (rule.value["route"] ?? PLACE_ORDER) !== PLACE_ORDER)
      problems.push(place({ field: "route", issue: `must be ${PLACE_ORDER} for a fault of an order` }));
    if (fault.ok && isStreamFault(fault.value)) problems.push(...ofRequests(rule.value).map(place));
    if (fault.ok) rules.push({ ...given(rule.value), fault: fault.value } as FaultRule);
    else
      problems.push(...fault.error.map((problem) => place({ ...problem, field: `fault.${problem.field}` })));
  }
  return problems.length > 0 ? err(problems) : ok(rules);
}

/** Conditions that no message of the stream can meet. */
const ofRequests = (rule: Values): Problem[] =>
  (["route", "clientOrderIdPrefix"] as const)
    .filter((field) => (rule[field] ?? null) !== null)
    .map((field) => ({ field, issue: "must be left out for a fault of the stream" }));

function unknownNames(rule: Values, nameable: Nameable): Problem[] {
  return (["route", "key", "product"] as const).flatMap((field) => {
    const name = rule[field];
    if (typeof name !== "string" || nameable[field].includes(name)) return [];
    return [{ field, issue: `is unknown; there is ${nameable[field].join(", ")}`, value: name }];
  });
}

function readFault(value: unknown): Result<Fault, readonly Problem[]> {
  const kind = typeof value === "object" && value !== null ? (value as Values)["kind"] : undefined;
  const kinds = Object.keys(FAULT_FIELDS);
  if (typeof kind !== "string" || !Object.hasOwn(FAULT_FIELDS, kind)) {
    return err([{ field: "kind", issue: `must be one of ${kinds.join(", ")}` }]);
  }
  const read = readFields(FAULT_FIELDS[kind as Fault["kind"]], value);
  if (!read.ok) return read;
  if (kind === "status" && ![429, 500, 503].includes(Number(read.value["status"])))
    return err([{ field: "status", issue: "must be 429, 500 or 503" }]);
  const defaults =
    kind === "externalFailure" && read.value["outcome"] === "unknown"
      ? { resolvesTo: "OPEN", afterMs: 1000 }
      : {};
  return ok({ ...defaults, ...given(read.value) } as unknown as Fault);
}

/** Without the optional fields that were left out. */
const given = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
