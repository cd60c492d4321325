/** Signs as a client does, by the long way: the tests' own reading of the specification. */
import { createHash, createHmac } from "node:crypto";
import type { SentCredentials } from "../authenticate.ts";

export interface ToSign {
  readonly keyId?: string;
  readonly secret?: string;
  readonly timestamp: number | string;
  readonly nonce: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
}

export const traderKeyId = "kid_local_trader";
export const secret = "local-secret-do-not-use-in-production";

export function sign(request: ToSign): SentCredentials {
  const bodyHash = createHash("sha256")
    .update(request.body ?? "")
    .digest("hex");
  const text = [
    request.timestamp,
    request.nonce,
    request.method ?? "GET",
    request.path,
    "application/json",
    bodyHash,
  ].join("\n");
  return {
    keyId: request.keyId ?? traderKeyId,
    timestamp: String(request.timestamp),
    nonce: request.nonce,
    signature: createHmac("sha256", request.secret ?? secret)
      .update(text, "utf8")
      .digest("hex"),
    repeated: null,
  };
}
