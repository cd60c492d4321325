import type { RequestPlan } from "../../client/prepare.ts";
import { Blocked } from "../../model/outcome.ts";
import { toJsonText, type ValueMap } from "../../model/value.ts";
import { type FilledCall, isUnsigned } from "../../plan/call.ts";
import type { Sender } from "../send/sender.ts";

/** Turns a filled call into a request plan: path and parameters by the profile, body as exact bytes. */
export function planRequest(
  call: FilledCall,
  { session, permit }: Pick<Sender, "session" | "permit">,
): RequestPlan {
  const { op, role, params, sign } = call;
  const operation = op === undefined ? undefined : session.operation(op);
  const path = pathOf(call.path ?? operation?.path ?? "/", session.parts.target.basePath, params);
  const query = [
    ...queryFromParams(operation?.path ?? "", operation?.query ?? {}, params),
    ...call.query.map(([name = "", value]) => (value === undefined ? name : pair(name, value))),
  ];
  const anonymous = isUnsigned(call) || operation?.auth === "none";
  return {
    ...(op === undefined ? {} : { operation: op }),
    method: call.method ?? operation?.method ?? "GET",
    target: query.length === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${query.join("&")}`,
    headers: Object.entries(call.headers),
    body: bodyOf(call),
    role,
    ...(anonymous ? {} : { credential: session.credential(role) }),
    sign: sign.plan,
    mutation: sign.mutation,
    clockOffsetMs: sign.clockOffsetMs,
    permit,
  };
}

/**
 * Paths are below the base address; `//…` is a path from the root, and `../` leaves the base address, as a profile may
 * do for probes.
 */
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

const pair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

function bodyOf({ body, bodyText, bodyBase64 }: FilledCall): Uint8Array {
  if (bodyText !== undefined) return Buffer.from(bodyText, "utf8");
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, "base64");
  return body === undefined || body === null ? new Uint8Array() : Buffer.from(toJsonText(body), "utf8");
}
