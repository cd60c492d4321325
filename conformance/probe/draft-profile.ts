import { type ExactDecimal, parseDecimal, plain } from "../check/decimal.ts";
import { mostTimes } from "../client/order-guard.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { isList, isMap } from "../model/value.ts";
import { remoteBudget } from "../parse/profile.ts";
import { yamlComment, yamlScalar } from "../parse/yaml-text.ts";
import { quoteOf } from "../runner/prepare/order-limits.ts";
import type { OperationFinding, ProbeFindings } from "./findings.ts";

/** The owner's data that the draft repeats: references to secrets, and sections of a profile unchanged. */
export interface Given {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl: string;
  readonly host: string;
  readonly loopback: boolean;
  readonly allow: string;
  /** The entry of each role as written, including `${env:…}`. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, Value>>>>;
  /** Operations that the owner has mapped or called absent. */
  readonly operations: Readonly<Record<string, Value>>;
  readonly on: string;
}

/**
 * Writes a profile that the kit's reader accepts without changes. It contains observed facts; a fact that was not
 * observed is `unknown`, with the evidence beside it. Prices and limits are suggestions in comments, because they cost
 * money. Keys are in the order of docs/kit.md.
 */
export function draftProfile(findings: ProbeFindings, given: Given): string {
  return [
    `# Drafted by gatewright probe on ${given.on} with ${findings.requests} requests (${given.allow}). Read it and correct it.`,
    "# unknown: not known yet, so its cases are BLOCKED. Only you can write absent.",
    "# Statements about clock, signed path, claims, limits and numbers of the stream are promises: docs/profile.md.",
    "kit: 1",
    `name: ${yamlScalar(given.name)}`,
    `kind: ${given.kind}`,
    `baseUrl: ${yamlScalar(given.baseUrl)}`,
    ...(given.loopback ? [] : [`allowHosts: [${yamlScalar(given.host)}]`]),
    `# clock of the target against ours: ${yamlComment(findings.clockSkew)}`,
    ...findings.remarks.map((remark) => `# ${yamlComment(remark)}`),
    "safety:",
    `  allow: ${given.allow === "read" ? "read" : "reject-only"} # allow more only if you know the effect of orders here: rests, trades`,
    ...productLines(findings),
    "credentials:",
    ...Object.entries(given.credentials).flatMap(([role, entry]) => credentialLines(role, entry, findings)),
    "auth:",
    `  # ${yamlComment(findings.signedPath.evidence)}`,
    ...signedPathLines(findings),
    "capabilities:",
    ...findings.capabilities.map(
      ({ name, presence, evidence }) => `  ${name}: ${presence} # ${yamlComment(evidence)}`,
    ),
    ...streamLines(findings),
    "operations:",
    ...[findings.openOrders, ...findings.operations].flatMap((found) => operationLines(found, given)),
    "# facts: { productListed: true, disabledProduct: PAIR, limits: { product: PAIR, min: '0.1', max: '10', step: '0.1' } }",
    "",
  ].join("\n");
}

/**
 * The kit signs the path alone by default, and a stated key is a promise, so the key is written only if it is needed.
 */
function signedPathLines({ signedPath: { value } }: ProbeFindings): string[] {
  const promise = "a promise: requests with a query that are signed like this are never refused with 401";
  if (value === "unknown") return ["  signedPath: unknown"];
  return value === "path"
    ? ["  signedPath: unknown", `  # signedPath: path # ${promise}`]
    : [`  signedPath: ${value} # ${promise}`];
}

function streamLines({ stream }: ProbeFindings): string[] {
  if (stream === undefined) return [];
  return [
    "# Add dialect: gatewright, or describe channels and messages: docs/kit-streams.md.",
    `ws: { url: ${yamlScalar(stream.url)} }`,
  ];
}

function productLines({ products }: ProbeFindings): string[] {
  if (products.length === 0) return [];
  return [
    "  # Suggested by the order book and the listing. Uncomment it once you agree with the prices.",
    "  # products:",
    ...(products.some(({ buyFar, sellFar }) => buyFar === undefined || sellFar === undefined)
      ? [
          "  # No order can rest without buyFar and sellFar, prices that cannot trade: add them, or map orderBook.",
        ]
      : []),
    ...products.map(({ id, ...plan }) => `  #   ${yamlComment(id)}: ${flow(plan)}`),
    ...notionalLines(products),
  ];
}

/** The limits that a run has without them, if the prices are known. */
function notionalLines(products: ProbeFindings["products"]): string[] {
  const dearest = new Map<string, ExactDecimal>();
  for (const { id, qty, sellFar } of products) {
    const cost = parseDecimal(qty ?? "")?.times(parseDecimal(sellFar ?? "") ?? 0);
    const [quote, before] = [quoteOf(id), dearest.get(quoteOf(id))];
    if (cost?.gt(before ?? 0) === true) dearest.set(quote, cost);
  }
  const caps = (count: number): ValueMap =>
    Object.fromEntries([...dearest].map(([quote, cost]) => [quote, plain(cost.times(count))]));
  const told = `  # Beyond this machine an order is at most ${mostTimes} times these amounts, and a run at most ${remoteBudget.orders} usual orders.`;
  if (dearest.size === 0) return [told];
  return [
    told,
    `  # notional: ${yamlComment(flow({ ...caps(remoteBudget.orders), perOrder: caps(mostTimes) }), 300)}`,
  ];
}

function credentialLines(
  role: string,
  entry: Readonly<Record<string, Value>>,
  { claims }: ProbeFindings,
): string[] {
  const { shown = [], evidence = "" } = claims[role] ?? {};
  return [
    ...(evidence === "" ? [] : [`  # ${role}: ${yamlComment(evidence, 300)}`]),
    `  ${role}: ${flow({ ...entry, claims: shown })}`,
  ];
}

function operationLines({ operation, mapping, evidence }: OperationFinding, given: Given): string[] {
  const stated = given.operations[operation];
  if (stated !== undefined && stated !== "unknown") return [`  ${operation}: ${flow(stated)} # as you said`];
  if (mapping === undefined) {
    // The specification defines two of the operations, so the profile need not name them.
    const word = operation === "openOrders" ? "{}" : "unknown";
    return [`  ${operation}: ${word} # ${yamlComment(evidence, 300)}`];
  }
  return [`  ${operation}: ${flow(mapping)} # ${yamlComment(evidence, 300)}`];
}

function flow(value: Value): string {
  if (isList(value)) return `[${value.map(flow).join(", ")}]`;
  if (isMap(value))
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${key}: ${flow(item)}`)
      .join(", ")} }`;
  return typeof value === "string" ? yamlScalar(value) : String(value);
}
