import { Blocked } from "../../model/outcome.ts";
import { capabilityOf, type Operation, type Presence, type Profile } from "../../model/profile.ts";
import type { Session } from "../session.ts";
import { streamAdvice, streamPresence } from "./stream-presence.ts";

/** Whether a target has a feature: stated by its profile, or implied by the profile's mappings and descriptions. */
export function presenceOf(profile: Profile, name: string): Presence {
  if (name === "cancel") return ofOperation(profile, "cancelOrder", () => true);
  if (name === listPages) return ofOperation(profile, "listOrders", hasPages);
  if (name.startsWith("list."))
    return ofOperation(profile, "listOrders", ({ query }) => query[name.slice("list.".length)] !== undefined);
  return isOfStream(name) ? streamPresence(profile, name) : capabilityOf(profile, name);
}

/** The line of the profile that says whether the target has the feature. */
export function adviceOf(name: string): string {
  if (name === "cancel") return "map operations.cancelOrder in the profile (or say that it is absent)";
  if (name === listPages)
    return "describe operations.listOrders.next and its query names limit and cursor in the profile";
  if (name.startsWith("list."))
    return `name operations.listOrders.query.${name.slice("list.".length)} in the profile`;
  return isOfStream(name) ? streamAdvice(name) : `state capabilities.${name} in the profile`;
}

export const listPages = "list.pages";

const isOfStream = (name: string): boolean => name === "ws" || name.startsWith("ws.");

const hasPages = ({ next, query }: Operation): boolean =>
  next !== undefined && query["limit"] !== undefined && query["cursor"] !== undefined;

function ofOperation(profile: Profile, name: string, has: (operation: Operation) => boolean): Presence {
  const operation = profile.operations[name];
  if (operation === "absent") return "absent";
  return operation !== undefined && has(operation) ? "present" : "unknown";
}

export function requireCapability(name: string, session: Session): void {
  if (session.presence(name) !== "present") throw new Blocked(`the target's profile does not offer ${name}`);
}
