import { operationNames } from "../../contract/operations.ts";
import { capabilityNames, credentialRoles } from "../../contract/vocabulary.ts";
import type { Presence } from "../../model/profile.ts";
import type { Session } from "../session.ts";

/**
 * The profile's statements about the target. Only the owner can call a feature absent; an unknown feature is never
 * treated as absent.
 */
export interface PresenceSheet {
  readonly capabilities: Readonly<Record<string, Presence>>;
  readonly operations: Readonly<Record<string, Presence>>;
  readonly credentials: Readonly<Record<string, Presence>>;
  /** The owner's decision on each point that the specification leaves open; a point that is not named is ignored. */
  readonly assumptions: Readonly<Record<string, "adopt" | "ignore" | "reject">>;
}

export function presenceOf(session: Session): PresenceSheet {
  const { profile } = session;
  const operation = (name: string): Presence => {
    const found = profile.operations[name];
    return found === undefined ? "unknown" : found === "absent" ? "absent" : "present";
  };
  const names = (known: readonly string[], stated: object): string[] => [
    ...new Set([...known, ...Object.keys(stated)]),
  ];
  return {
    capabilities: sheet(names(capabilityNames, profile.capabilities), (name) => session.presence(name)),
    operations: sheet(names(operationNames, profile.operations), operation),
    credentials: sheet(names(credentialRoles, profile.credentials), (role) =>
      profile.credentials[role] === undefined ? "unknown" : "present",
    ),
    assumptions: profile.assumptions,
  };
}

function sheet(names: readonly string[], presence: (name: string) => Presence): Record<string, Presence> {
  return Object.fromEntries(names.map((name) => [name, presence(name)]));
}
