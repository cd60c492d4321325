import type { BodyMutation, Mutation, RequestPlan } from "../client/prepare.ts";
import { Blocked } from "../model/outcome.ts";
import { isList, isMap, toJsonText, type Value, type ValueMap } from "../model/value.ts";
import { durationMs, longestShiftMs } from "../parse/duration.ts";
import { asMap } from "../parse/scenario.ts";
import { type CanonicalPart, canonicalOrder } from "../signing/canonical-request.ts";
import { algorithms } from "../signing/sign-request.ts";
import { noHeaderEdits, plainPlan, type SignPlan } from "../signing/tamper.ts";
import type { Sender } from "./sender.ts";

/** A filled `call` becomes a request plan: path and parameters through the profile, body as exact bytes. */
export function planRequest(
  call: ValueMap,
  { session, permit }: Pick<Sender, "session" | "permit">,
): RequestPlan {
  const name = typeof call["op"] === "string" ? call["op"] : undefined;
  const operation = name === undefined ? undefined : session.operation(name);
  const method = String(call["method"] ?? operation?.method ?? "GET");
  const role = String(call["as"] ?? "trader");
  const params = asMap(call["params"]);
  const path = pathOf(String(call["path"] ?? operation?.path ?? "/"), session.parts.target.basePath, params);
  const query = [
    ...queryFromParams(operation?.path ?? "", operation?.query ?? {}, params),
    ...listedQuery(call["query"]),
  ];
  const { plan, mutation, clockOffsetMs, unsigned } = signOf(call["sign"]);
  const anonymous = role === "anonymous" || unsigned || operation?.auth === "none";
  return {
    ...(name === undefined ? {} : { operation: name }),
    method,
    target: query.length === 0 ? path : `${path}?${query.join("&")}`,
    headers: Object.entries(asMap(call["headers"])).map(([key, value]) => [key, String(value)] as const),
    body: bodyOf(call),
    role,
    ...(anonymous ? {} : { credential: session.credential(role) }),
    sign: plan,
    mutation,
    clockOffsetMs,
    permit,
  };
}

/** Paths are below the base address; `//…` names one from the root, `../` climbs as a profile may for probes. */
function pathOf(template: string, base: string, params: ValueMap): string {
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined)
      throw new Blocked(`the path ${template} needs params.${name}, not given (${whole})`);
    return encodeURIComponent(String(value));
  });
  if (filled.startsWith("//")) return filled.slice(1);
  return filled.startsWith("../") ? new URL(filled, `http://host${base}/`).pathname : base + filled;
}

function queryFromParams(path: string, names: Readonly<Record<string, string>>, params: ValueMap): string[] {
  return Object.entries(params)
    .filter(([name]) => !path.includes(`{${name}}`))
    .flatMap(([name, value]) => [value].flat().map((item) => pair(names[name] ?? name, String(item))));
}

function listedQuery(query: Value | undefined): string[] {
  return (isList(query) ? query : []).map((item) =>
    isList(item) ? pair(String(item[0]), String(item[1])) : String(item),
  );
}

const pair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

function bodyOf(call: ValueMap): Uint8Array {
  const { body, bodyText, bodyBase64 } = call;
  if (typeof bodyText === "string") return Buffer.from(bodyText, "utf8");
  if (typeof bodyBase64 === "string") return Buffer.from(bodyBase64, "base64");
  return body === undefined || body === null ? new Uint8Array() : Buffer.from(toJsonText(body), "utf8");
}

export interface SignChoice {
  readonly plan: SignPlan;
  readonly mutation: Mutation;
  readonly clockOffsetMs: number;
  readonly unsigned: boolean;
}

export function signOf(sign: Value | undefined): SignChoice {
  const block = asMap(sign);
  const unsigned = sign === "none" || block["base"] === "none";
  return {
    plan: signPlan(block),
    mutation: mutationOf(asMap(block["mutateAfterSign"])),
    clockOffsetMs: offsetOf(block["atClock"]),
    unsigned,
  };
}

function signPlan(block: ValueMap): SignPlan {
  const override = asMap(block["override"]);
  const headers = asMap(block["headers"]);
  const order = override["order"];
  const algorithm = algorithms.find((name) => name === override["algorithm"]) ?? plainPlan.algorithm;
  return {
    override: textsOf(override, ["keyId", "secret", "timestamp", "nonce", ...canonicalOrder]),
    form: {
      order: isList(order) ? order.map(String).filter(isPart) : canonicalOrder,
      joiner: String(override["joiner"] ?? "\n"),
      suffix: String(override["suffix"] ?? ""),
    },
    algorithm,
    transform: (isList(block["transform"]) ? block["transform"] : []).map(String),
    headers: {
      ...noHeaderEdits,
      omit: strings(headers["omit"]),
      duplicate: strings(headers["duplicate"]),
      set: textsOf(asMap(headers["set"])),
      rename: textsOf(asMap(headers["rename"])),
      order: strings(headers["order"]),
    },
  };
}

function mutationOf(block: ValueMap): Mutation {
  const body = asMap(block["body"]);
  const replace = isList(body["replace"]) ? body["replace"].map(String) : undefined;
  const change: BodyMutation = {
    ...(typeof body["insertAt"] === "number" ? { insertAt: body["insertAt"] } : {}),
    ...(typeof body["text"] === "string" ? { text: body["text"] } : {}),
    ...(typeof body["flipBit"] === "number" ? { flipBit: body["flipBit"] } : {}),
    ...(typeof body["set"] === "string" ? { set: body["set"] } : {}),
    ...(replace === undefined ? {} : { replace: [replace[0] ?? "", replace[1] ?? ""] as const }),
  };
  const texts: Mutation = textsOf(block, [
    "method",
    "path",
    "query",
    "contentType",
    "timestamp",
    "nonce",
    "keyId",
  ]);
  return isMap(block["body"]) ? { ...texts, body: change } : texts;
}

function offsetOf(clock: Value | undefined): number {
  const text = String(asMap(clock)["offset"] ?? "+0ms");
  const size = durationMs(text.replace(/^[+-]/, ""), longestShiftMs) ?? 0;
  return text.startsWith("-") ? -size : size;
}

function textsOf(block: ValueMap, keys: readonly string[] = Object.keys(block)): Record<string, string> {
  return Object.fromEntries(
    keys.flatMap((key) => (block[key] === undefined ? [] : [[key, String(block[key])]])),
  );
}

function strings(value: Value | undefined): string[] {
  return isList(value) ? value.map(String) : [];
}

function isPart(name: string): name is CanonicalPart {
  return canonicalOrder.some((part) => part === name);
}
