import { eventsOfChannel } from "../../contract/stream-dialect.ts";
import type { Presence, Profile } from "../../model/profile.ts";
import type { StreamPlan } from "../../model/stream.ts";

/**
 * The capabilities that follow from a profile's description of the stream: `ws` needs an address; a channel needs its
 * name, a way to subscribe and one of its events. An explicit statement of the owner (`capabilities`) has priority; a
 * capability without a description is unknown.
 */
export function streamPresence(profile: Profile, name: string): Presence {
  const { stream, capabilities } = profile;
  const stated = capabilities[name];
  if (stated === "absent" || capabilities["ws"] === "absent") return "absent";
  if (stream?.url === undefined || capabilities["ws"] === "unknown" || stated === "unknown") return "unknown";
  if (name === "ws") return "present";
  const part = name.slice("ws.".length);
  const special = parts[part];
  if (special !== undefined) return special(stream, profile);
  return channelPresence(stream, part);
}

const parts: Readonly<Record<string, (stream: StreamPlan, profile: Profile) => Presence>> = {
  sequence: ({ message }) =>
    message.sequence === "none" ? "absent" : message.sequence === undefined ? "unknown" : "present",
  ack: ({ ack }) => (ack === "none" ? "absent" : ack === undefined ? "unknown" : "present"),
  errors: ({ events }) => (events["error"] === undefined ? "unknown" : "present"),
  subscribe: ({ subscribe }) => (subscribe === undefined ? "unknown" : "present"),
  bookVersion: ({ events }, { operations }) => {
    const rest = operations["orderBook"];
    if (rest === "absent") return "absent";
    const stream = events["book"]?.fields["version"] !== undefined && events["bookUpdate"] !== undefined;
    return stream && rest?.version !== undefined ? "present" : "unknown";
  },
};

function channelPresence({ channels, subscribe, events }: StreamPlan, name: string): Presence {
  const channel = channels[name];
  if (channel === "absent") return "absent";
  if (channel === undefined || (!channel.automatic && subscribe === undefined)) return "unknown";
  const wanted = eventsOfChannel[name] ?? [];
  return wanted.length === 0 || wanted.some((event) => events[event] !== undefined) ? "present" : "unknown";
}

/** The parts to add to the profile so that a case can run. */
export function streamAdvice(name: string): string {
  if (name === "ws") return "state ws.url in the profile, or capabilities.ws: absent";
  const part = name.slice("ws.".length);
  if (part === "bookVersion")
    return "describe ws.events.book.version and operations.orderBook.version in the profile";
  if (part === "sequence") return "describe ws.message.sequence in the profile, or say none";
  if (part === "errors") return "describe ws.events.error in the profile";
  if (part === "ack" || part === "subscribe") return `describe ws.${part} in the profile`;
  return `describe ws.subscribe, ws.channels.${part} and its events in the profile (or dialect: gatewright)`;
}
