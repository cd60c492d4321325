/** The signature of a request, made in the browser step by step (docs/signing.md). */

export interface Signing {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly secret: string;
}

export interface Signed {
  readonly hash: string;
  readonly canonical: string;
  readonly signature: string;
}

/** Absent where a page came over plain HTTP from another machine. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hex = (data: ArrayBuffer): string =>
  Array.from(new Uint8Array(data), (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function sign({ timestamp, nonce, method, path, body, secret }: Signing): Promise<Signed> {
  const hash = hex(await crypto.subtle.digest("SHA-256", bytes(body)));
  const canonical = [timestamp, nonce, method, path, "application/json", hash].join("\n");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(secret), algorithm, false, ["sign"]);
  return { hash, canonical, signature: hex(await crypto.subtle.sign("HMAC", key, bytes(canonical))) };
}
