import { isDeepStrictEqual } from "node:util";
import type { Permit, SentRequest } from "../model/exchange.ts";
import { type SigningInput, signatureHeaders } from "../signing/sign-request.ts";
import {
  type BodyMutation,
  flipBit,
  inOrder,
  type Mutation,
  plainPlan,
  type SignPlan,
  signAsPlanned,
  textFrom,
  timestampFrom,
} from "../signing/tamper.ts";

/** A request before it is signed. */
export interface RequestPlan {
  readonly operation?: string;
  readonly method: string;
  /** The request target on the wire, query included. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly role: string;
  readonly permit?: Permit;
  /** Undefined: no auth headers. */
  readonly credential?: { readonly keyId: string; readonly secret: string };
  readonly sign: SignPlan;
  readonly mutation: Mutation;
  readonly clockOffsetMs: number;
}

export interface SigningMoment {
  readonly now: number;
  readonly nonce: string;
  readonly signedPath: "path" | "pathAndQuery";
  /**
   * For remote machines, a tampered signature is not shown to the case: it may be the valid signature of an order that
   * no guard has read.
   */
  readonly withholdTampered?: boolean;
}

const json = "application/json";

/** Signs the request that is sent: the target is never rewritten between here and the socket. */
export function prepare(plan: RequestPlan, moment: SigningMoment): SentRequest {
  const { credential } = plan;
  const unsigned = { method: plan.method, path: plan.target, body: plan.body, role: plan.role };
  const labelled = {
    ...unsigned,
    ...(plan.operation === undefined ? {} : { operation: plan.operation }),
    ...(plan.permit === undefined ? {} : { permit: plan.permit }),
  };
  // Every request has this header, so that an anonymous one differs only by its missing credentials.
  if (credential === undefined)
    return mutated(
      { ...labelled, headers: withExtra([["Content-Type", json]], plan.headers) },
      plan.mutation,
    );
  const input: SigningInput = {
    keyId: credential.keyId,
    secret: credential.secret,
    timestamp: String(moment.now + plan.clockOffsetMs),
    nonce: moment.nonce,
    method: plan.method,
    path: moment.signedPath === "path" ? (plan.target.split("?")[0] ?? plan.target) : plan.target,
    contentType: json,
    body: plan.body,
  };
  const signed = signAsPlanned(input, plan.sign);
  const value = (name: string) => signed.headers.find(([key]) => key === name)?.[1] ?? "";
  return mutated(
    {
      ...labelled,
      headers: inOrder(withExtra(signed.headers, plan.headers), plan.sign.headers.order),
      signed: {
        timestamp: value(signatureHeaders.timestamp),
        nonce: value(signatureHeaders.nonce),
        signature: signed.signature,
        keyId: value(signatureHeaders.keyId),
        canonical: signed.canonical,
        ...(moment.withholdTampered && isTampered(plan) ? { withheld: true } : {}),
      },
    },
    plan.mutation,
  );
}

function isTampered({ sign, mutation, clockOffsetMs }: RequestPlan): boolean {
  return !isDeepStrictEqual(sign, plainPlan) || Object.keys(mutation).length > 0 || clockOffsetMs !== 0;
}

/** A header from a scenario replaces the kit's header of the same name. */
function withExtra(
  headers: readonly (readonly [string, string])[],
  extra: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  const named = new Set(extra.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !named.has(name.toLowerCase())), ...extra];
}

function mutated(request: SentRequest, mutation: Mutation): SentRequest {
  const timestamp = headerValue(request, signatureHeaders.timestamp);
  const set: Record<string, string> = {};
  if (mutation.timestamp !== undefined)
    set[signatureHeaders.timestamp] = timestampFrom(timestamp, mutation.timestamp);
  for (const part of ["nonce", "keyId"] as const) {
    const name = signatureHeaders[part];
    if (mutation[part] !== undefined) set[name] = textFrom(headerValue(request, name), mutation[part]);
  }
  if (mutation.contentType !== undefined) set["Content-Type"] = mutation.contentType;
  const query =
    mutation.query === undefined ? "" : `${request.path.includes("?") ? "&" : "?"}${mutation.query}`;
  return {
    ...request,
    method: mutation.method ?? request.method,
    path: (mutation.path ?? request.path) + query,
    headers: request.headers.map(([name, value]) => [name, set[name] ?? value] as const),
    body: mutation.body === undefined ? request.body : mutateBody(request.body, mutation.body),
  };
}

function headerValue(request: SentRequest, name: string): string {
  return request.headers.find(([key]) => key === name)?.[1] ?? "";
}

function mutateBody(body: Uint8Array, mutation: BodyMutation): Uint8Array {
  const bytes = Buffer.from(body);
  if (mutation.set !== undefined) return Buffer.from(mutation.set, "utf8");
  if (mutation.flipBit !== undefined) return flipBit(bytes, mutation.flipBit);
  if (mutation.replace !== undefined)
    return Buffer.from(
      bytes.toString("utf8").replace(mutation.replace[0], () => mutation.replace?.[1] ?? ""),
    );
  const at = mutation.insertAt ?? bytes.length;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(mutation.text ?? "", "utf8"), bytes.subarray(at)]);
}
