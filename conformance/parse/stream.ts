import { documentedDialect } from "../contract/stream-dialect.ts";
import type { MessagePlan, StreamChannel, StreamEventRule, StreamPlan } from "../model/stream.ts";
import { asMap, isMap, type Value, type ValueMap } from "../model/value.ts";

/** The `ws` section of a profile. A dialect is used only if the profile names it; stated values override it. */
export function streamOf(section: Value | undefined): StreamPlan | undefined {
  if (!isMap(section)) return undefined;
  const base = section["dialect"] === "gatewright" ? documentedDialect : {};
  const part = (name: string): ValueMap => ({ ...asMap(base[name]), ...asMap(section[name]) });
  const template = (name: string): Record<string, ValueMap> => {
    const found = section[name] ?? base[name];
    return isMap(found) ? { [name]: found } : {};
  };
  const matcher = (name: "ack" | "unsubscribed"): Readonly<Record<string, Value>> => {
    const found = section[name] ?? base[name];
    return found === undefined ? {} : { [name]: found };
  };
  return {
    ...(typeof section["url"] === "string" ? { url: new URL(section["url"]) } : {}),
    ...(typeof section["signedPath"] === "string" ? { signedPath: section["signedPath"] } : {}),
    connections: typeof section["connections"] === "number" ? section["connections"] : 8,
    message: messageOf(part("message")),
    ...template("subscribe"),
    ...template("unsubscribe"),
    ...matcher("ack"),
    ...matcher("unsubscribed"),
    channels: channelsOf(part("channels")),
    events: eventsOf(part("events")),
  };
}

/** Undefined if the address is usable. */
export function streamAddressProblem(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `"${text}" is not a URL`;
  }
  if (url.protocol !== "ws:" && url.protocol !== "wss:") return "the address starts with ws:// or wss://";
  if (url.username !== "" || url.password !== "") return "the address must not contain a user or a password";
  return url.hash === "" ? undefined : "the address must not contain a fragment";
}

function messageOf({ sequenceScope, ...pointers }: ValueMap): MessagePlan {
  return {
    ...(pointers as Partial<MessagePlan>),
    sequenceScope: sequenceScope === "channel" ? "channel" : "connection",
  };
}

function channelsOf(stated: ValueMap): Record<string, StreamChannel | "absent"> {
  const known = Object.entries(stated).filter(([, value]) => value !== "unknown");
  return Object.fromEntries(
    known.map(([name, value]): [string, StreamChannel | "absent"] => {
      if (value === "absent") return [name, "absent"];
      const given = asMap(value);
      const spelled = typeof value === "string" ? value : String(given["name"] ?? name);
      const claim = typeof given["claim"] === "string" ? { claim: given["claim"] } : {};
      return [name, { name: spelled, ...claim, automatic: given["automatic"] === true }];
    }),
  );
}

function eventsOf(stated: ValueMap): Record<string, StreamEventRule> {
  const described = Object.entries(stated).filter(([, value]) => isMap(value));
  return Object.fromEntries(
    described.map(([name, value]): [string, StreamEventRule] => {
      const { when = {}, partial, ...fields } = asMap(value);
      return [name, { when, partial: partial === true, fields: fields as Record<string, string> }];
    }),
  );
}
