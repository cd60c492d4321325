import { type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { StreamPlan } from "../model/stream.ts";
import { match } from "./match.ts";
import { noContext } from "./matching.ts";
import { resolvePointer } from "./pointer.ts";

/**
 * One message in the kit's names: `is` (the first matching event of the profile, else `unknown`), type, channel,
 * product, sequence, and the fields that the profile gives such an event. A field whose pointer does not resolve is
 * missing.
 */
export function eventOf(
  json: Json | undefined,
  plan: StreamPlan,
  frame: Json | undefined = json,
): JsonObject {
  const rule = Object.entries(plan.events).find(
    ([, { when }]) => json !== undefined && match(when, json, noContext).length === 0,
  );
  const at = (pointer: string | undefined): Json | undefined =>
    pointer === undefined || pointer === "none"
      ? undefined
      : (resolvePointer(json, pointer) ?? resolvePointer(frame, pointer));
  const entries: [string, Json | undefined][] = [
    ["is", rule?.[0] ?? "unknown"],
    ["type", at(plan.message.type)],
    ["channel", canonicalChannel(at(plan.message.channel), plan)],
    ["product", at(plan.message.product)],
    ["sequence", at(plan.message.sequence)],
    ...Object.entries(rule?.[1].fields ?? {})
      .filter(([name]) => name !== "price" && name !== "quantity")
      .map(([name, pointer]): [string, Json | undefined] => [name, at(pointer)]),
  ];
  return sight(entries);
}

/** A frame may have a list of messages; any other frame is one message. */
export function messagesIn(frame: Json | undefined, plan: StreamPlan): readonly (Json | undefined)[] {
  const { batch } = plan.message;
  const list = batch === undefined ? undefined : resolvePointer(frame, batch);
  return Array.isArray(list) ? (list as readonly Json[]) : [frame];
}

function canonicalChannel(name: Json | undefined, plan: StreamPlan): Json | undefined {
  const found = Object.entries(plan.channels).find(
    ([, channel]) => channel !== "absent" && channel.name === name,
  );
  return found?.[0] ?? name;
}

/** The beginning or end of a connection, in the same form. */
export function turnOf(
  is: "opened" | "refused" | "closed",
  more: Readonly<Record<string, string | number | undefined>> = {},
): JsonObject {
  const entries = Object.entries(more).map(([name, value]): [string, Json | undefined] => [
    name,
    typeof value === "number" ? new JsonNumber(String(value)) : value,
  ]);
  return sight([["is", is], ...entries]);
}

function sight(entries: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return new JsonObject(new Map(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined)));
}
