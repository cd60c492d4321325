/**
 * The signature of a request, as the browser makes it, step by step. This page shows how signing works: the rule stands in
 * docs/signing.md, and the sandbox checks what is made here.
 */
export interface Signed {
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly canonical: string;
  readonly bodyHash: string;
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ToSign {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly keyId: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly nonce: string;
}

const encoder = new TextEncoder();
const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function sign({ method, path, body, keyId, secret, timestamp, nonce }: ToSign): Promise<Signed> {
  const bodyHash = hex(await crypto.subtle.digest("SHA-256", encoder.encode(body)));
  const lines = [
    ["time in milliseconds", timestamp],
    ["nonce", nonce],
    ["method", method],
    ["path", path],
    ["media type", "application/json"],
    ["SHA-256 of the body", bodyHash],
  ] as const;
  const canonical = lines.map(([, value]) => value).join("\n");
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signature = hex(await crypto.subtle.sign("HMAC", key, encoder.encode(canonical)));
  const headers = {
    "X-API-KEY": keyId,
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": signature,
    "Content-Type": "application/json",
  };
  return { lines, canonical, bodyHash, signature, headers };
}
