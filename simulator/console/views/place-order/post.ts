/** Sends a signed order to the gateway of this sandbox. */
import { tradingPrefix } from "../../lib/session.ts";

export const path = `${tradingPrefix}/order`;

export interface Sent {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
}

export async function post(
  keyId: string,
  { timestamp, nonce }: { readonly timestamp: string; readonly nonce: string },
  signature: string,
  body: string,
): Promise<Sent> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": keyId,
        "x-api-timestamp": timestamp,
        "x-api-nonce": nonce,
        "x-api-signature": signature,
      },
      body,
    });
    const requestId = response.headers.get("x-request-id") ?? "";
    return { status: response.status, requestId, text: await response.text() };
  } catch {
    return {
      status: 0,
      requestId: "",
      text: "There was no answer: a fault may have cut it, or the sandbox is away.",
    };
  }
}
