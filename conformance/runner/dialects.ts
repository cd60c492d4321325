import type { Exchange } from "../model/exchange.ts";
import { canonicalOrder } from "../signing/canonical-request.ts";
import { plainPlan, type SignPlan } from "../signing/tamper.ts";
import type { Session } from "./session.ts";

interface Dialect {
  readonly name: string;
  readonly clause: string;
  readonly plan: (path: string, secret: string) => Partial<SignPlan>;
  readonly offsetMs?: number;
}

const form = (changes: Partial<SignPlan["form"]>): Partial<SignPlan> => ({
  form: { ...plainPlan.form, ...changes },
});

/** Misreadings that are met in the field, one difference each (kit.md 3.5). */
const dialects: readonly Dialect[] = [
  { name: "timestamps in seconds", clause: "AUTH-11", plan: () => ({ override: { timestamp: "seconds" } }) },
  {
    name: "the path without the prefix",
    clause: "AUTH-16",
    plan: () => ({ override: { path: "/order/open" } }),
  },
  {
    name: "the path with a trailing slash",
    clause: "AUTH-16",
    plan: (path) => ({ override: { path: `${path}/` } }),
  },
  { name: "the method in lower case", clause: "AUTH-15", plan: () => ({ override: { method: "get" } }) },
  {
    name: "no content type line",
    clause: "AUTH-17",
    plan: () => form({ order: canonicalOrder.filter((part) => part !== "contentType") }),
  },
  {
    name: "a content type with charset",
    clause: "AUTH-17",
    plan: () => ({ override: { contentType: "application/json; charset=utf-8" } }),
  },
  {
    name: "the hash of {} for an empty body",
    clause: "AUTH-20",
    plan: () => ({ override: { bodyHash: "sha256({})" } }),
  },
  { name: "an upper-case body hash", clause: "AUTH-19", plan: () => ({ override: { bodyHash: "upper" } }) },
  { name: "an upper-case signature", clause: "AUTH-22", plan: () => ({ transform: ["upperHex"] }) },
  { name: "a base64 signature", clause: "AUTH-22", plan: () => ({ transform: ["base64"] }) },
  { name: "a newline at the end", clause: "AUTH-10", plan: () => form({ suffix: "\n" }) },
  { name: "lines joined with CRLF", clause: "AUTH-10", plan: () => form({ joiner: "\r\n" }) },
  { name: "lines joined with nothing", clause: "AUTH-10", plan: () => form({ joiner: "" }) },
  {
    name: "the secret decoded from base64",
    clause: "AS-01",
    plan: (_, secret) => ({ override: { secret: Buffer.from(secret, "base64").toString("latin1") } }),
  },
];

/** Which misreading the target accepts, in a sentence; undefined when it accepts none of them. */
export async function probeDialects(session: Session): Promise<string | undefined> {
  const operation = session.operation("openOrders");
  const credential = session.credential("trader");
  const path = session.parts.target.basePath + operation.path;
  for (const dialect of dialects) {
    const exchange: Exchange = await session.send(
      session.prepare({
        operation: "openOrders",
        method: "GET",
        target: path,
        headers: [],
        body: new Uint8Array(),
        role: "trader",
        credential,
        sign: { ...plainPlan, ...dialect.plan(path, credential.secret) },
        mutation: {},
        clockOffsetMs: dialect.offsetMs ?? 0,
      }),
    );
    const status = exchange.reply?.status ?? 0;
    if (status >= 200 && status < 300)
      return `the target accepts signatures over ${dialect.name}; the specification does not (${dialect.clause})`;
  }
  return undefined;
}
