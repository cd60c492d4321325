import { durationMs, longestShiftMs } from "../model/duration.ts";
import { asMap, isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { type CanonicalPart, canonicalOrder } from "../signing/canonical-request.ts";
import { algorithms } from "../signing/sign-request.ts";
import {
  type BodyMutation,
  type Mutation,
  noHeaderEdits,
  plainPlan,
  type SignPlan,
} from "../signing/tamper.ts";

export interface SignChoice {
  readonly plan: SignPlan;
  readonly mutation: Mutation;
  readonly clockOffsetMs: number;
  readonly unsigned: boolean;
}

/** The parts of `sign`: wrong values before signing, a changed signature, and changes after signing. */
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
    transform: [block["transform"] ?? []].flat().map(String),
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
