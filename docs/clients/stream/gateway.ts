/** Signed requests to the gateway. The handshake of the stream is one of them: a GET without a body. */
import { createHash, createHmac, randomUUID } from "node:crypto";

export class Gateway {
  readonly baseUrl: string;
  readonly #keyId: string;
  readonly #secret: string;

  constructor(baseUrl: string, keyId: string, secret: string) {
    this.baseUrl = baseUrl;
    this.#keyId = keyId;
    this.#secret = secret;
  }

  headers(method: string, route: string, payload = ""): Record<string, string> {
    const [timestamp, nonce] = [String(Date.now()), randomUUID()];
    const bodyHash = createHash("sha256").update(payload).digest("hex");
    const { pathname } = new URL(this.baseUrl + route);
    const canonical = [timestamp, nonce, method, pathname, "application/json", bodyHash].join("\n");
    return {
      "X-API-KEY": this.#keyId,
      "X-API-TIMESTAMP": timestamp,
      "X-API-NONCE": nonce,
      "X-API-SIGNATURE": createHmac("sha256", this.#secret).update(canonical).digest("hex"),
      "Content-Type": "application/json",
    };
  }

  /** Sends a request and returns the `data` of the answer; anything but a success is thrown. */
  async call<Data>(method: string, route: string, body?: object): Promise<Data> {
    const payload = JSON.stringify(body) ?? ""; // hashed and sent: the same bytes
    const headers = this.headers(method, route, payload);
    const response = await fetch(this.baseUrl + route, { method, headers, body: payload || null });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  }
}
