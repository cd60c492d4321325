/** A request that the kit signs, as a client with one of the keys of a sandbox would send it. */
import { randomUUID } from "node:crypto";
import { signRequest } from "../../conformance/commands.ts";
import type { Simulator } from "../../simulator/index.ts";

export interface Signing {
  /** The name of the key. */
  readonly key?: string;
  /** The body that is signed, if it is not the one that is sent. */
  readonly over?: string;
}

/** `baseUrl` may be that of a proxy. */
export async function signedFetch(
  { baseUrl, keys }: Pick<Simulator, "baseUrl" | "keys">,
  method: string,
  route: string,
  body = "",
  { key = "trader", over = body }: Signing = {},
) {
  const { keyId = "", secret = "" } = keys.find(({ name }) => name === key) ?? {};
  const [timestamp, nonce, contentType] = [String(Date.now()), randomUUID(), "application/json"];
  const path = new URL(baseUrl + route).pathname;
  const request = { keyId, secret, timestamp, nonce, method, path, contentType, body: Buffer.from(over) };
  const { headers } = signRequest(request);
  const init = { method, headers: Object.fromEntries(headers), body: body || null };
  return { headers, reply: await fetch(baseUrl + route, init) };
}
