/** One signed request, for a test that has no client of its own. What a client does is told in docs/signing.md. */
import { createHmac, randomUUID } from "node:crypto";
import { bodyHashOf, canonicalRequest, signedContentType } from "./auth/canonical-request.ts";
import type { ControlledKey } from "./control/control-route.ts";
import { didYouMean } from "./domain/nearest-name.ts";

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: object;
  /** Name of the key that signs; `trader` when absent. */
  readonly key?: string;
}

/** What came back, a refusal too. */
export interface SignedAnswer<Data> {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  readonly message: string;
  /** `INSUFFICIENT_FUNDS`, for example; absent from a success, as are the details. */
  readonly code?: string;
  /** The payload, with the type that the caller names; undefined for a refusal. */
  readonly data: Data;
  /** What a refusal says of single fields. */
  readonly details?: readonly unknown[];
}

/** `path` is relative to the base URL and may have a query, which is not signed: `/order?clientOrderId=…`. */
export type SignedRequest = <Data = unknown>(
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<SignedAnswer<Data>>;

export function signedRequests(baseUrl: string, keys: () => readonly ControlledKey[]): SignedRequest {
  return async <Data>(method: string, path: string, { body, key = "trader" }: RequestOptions = {}) => {
    const { keyId, secret } = keyNamed(key, keys());
    const url = new URL(baseUrl + path);
    const sent = body === undefined ? "" : JSON.stringify(body);
    const values = {
      timestamp: String(Date.now()),
      nonce: randomUUID(),
      method,
      path: url.pathname,
      bodyHash: bodyHashOf(Buffer.from(sent)),
    };
    const answer = await fetch(url, {
      method,
      redirect: "error",
      headers: {
        "X-API-KEY": keyId,
        "X-API-TIMESTAMP": values.timestamp,
        "X-API-NONCE": values.nonce,
        "X-API-SIGNATURE": createHmac("sha256", secret).update(canonicalRequest(values)).digest("hex"),
        "Content-Type": signedContentType,
      },
      ...(sent === "" ? {} : { body: sent }),
    });
    // as: the envelope of this simulator, with what the caller has asked for.
    const envelope = (await answer.json()) as Omit<SignedAnswer<Data>, "status" | "headers">;
    return { ...envelope, status: answer.status, headers: answer.headers };
  };
}

function keyNamed(name: string, keys: readonly ControlledKey[]): ControlledKey {
  const key = keys.find((one) => one.name === name);
  if (key !== undefined) return key;
  const names = keys.map((one) => one.name);
  throw new Error(
    `There is no key ${JSON.stringify(name)}: ${didYouMean(name, names) ?? `the keys are ${names.join(", ")}`}`,
  );
}
