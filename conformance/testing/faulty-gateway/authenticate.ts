import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Wrong } from "./defects.ts";

export interface Key {
  readonly keyId: string;
  readonly secret: string;
  readonly client: string;
  readonly claims: readonly string[];
}

const all = ["read:orders", "write:orders", "read:account", "read:market-data"];
export const keys = {
  trader: { keyId: "kid_trader", secret: "trader-secret-for-tests-only", client: "A", claims: all },
  reader: {
    keyId: "kid_reader",
    secret: "reader-secret-for-tests-only",
    client: "A",
    claims: ["read:orders"],
  },
  counterparty: { keyId: "kid_other", secret: "other-secret-for-tests-only", client: "C", claims: all },
} as const satisfies Record<string, Key>;

const names = ["X-API-KEY", "X-API-TIMESTAMP", "X-API-NONCE", "X-API-SIGNATURE"] as const;
const toleranceMs = 30_000;
export const base = "/api/v1/trading";

/** The scheme of the specification, and its misreadings. */
export class Authenticator {
  readonly #nonces = new Set<string>();
  readonly #wrong: Wrong;

  constructor(wrong: Wrong) {
    this.#wrong = wrong;
  }

  /** The key that signed, or nothing. */
  check(request: IncomingMessage, body: Buffer): Key | undefined {
    const [keyId, timestamp, nonce, signature] = names.map((name) => this.#header(request, name));
    const key = Object.values(keys).find((known) => known.keyId === keyId);
    if (key === undefined || !/^\d{1,16}$/.test(timestamp ?? "") || nonce === undefined || nonce === "")
      return undefined;
    const age = Math.abs(Date.now() - Number(timestamp));
    const inHole = this.#wrong("p08-hole-in-the-time-window") && age > 1000 && age < 5000;
    if (age > toleranceMs || inHole) return undefined;
    const verifies = this.#timestamps(String(timestamp)).some((time) =>
      this.#digests(request, body, [time, nonce], key.secret).some((digest) =>
        this.#same(digest, signature ?? ""),
      ),
    );
    if (!verifies && !(this.#wrong("accepts-any-signature") && signature !== undefined)) return undefined;
    const used = `${key.keyId} ${nonce.toLowerCase()}${this.#wrong("p06-nonce-good-again-with-new-timestamp") ? timestamp : ""}`;
    const known = this.#nonces.has(used);
    this.#nonces.add(used);
    return known && !this.#wrong("ignores-nonce") ? undefined : key;
  }

  #header(request: IncomingMessage, name: string): string | undefined {
    if (this.#wrong("key-has-to-come-first")) {
      const [first] = request.rawHeaders.filter((text) => /^x-api-/i.test(text));
      if (first?.toUpperCase() !== "X-API-KEY") return undefined;
    }
    return request.headers[name.toLowerCase()]?.toString();
  }

  #timestamps(stated: string): string[] {
    if (!this.#wrong("p04-timestamp-outside-the-signature")) return [stated];
    return Array.from({ length: 41 }, (_, index) => String(Number(stated) + index - 20));
  }

  #digests(
    request: IncomingMessage,
    body: Buffer,
    [time = "", nonce = ""]: string[],
    secret: string,
  ): string[] {
    const whole = (request.url ?? "").split("?")[0] ?? "";
    const path = this.#wrong("signs-relative-path") ? whole.slice(base.length) : whole;
    const hash = createHash("sha256").update(this.#hashed(body)).digest("hex");
    const rest = [request.method ?? "", path, "application/json", hash];
    const orders = this.#wrong("p03-first-two-lines-in-any-order")
      ? [
          [time, nonce],
          [nonce, time],
        ]
      : [[time, nonce]];
    if (this.#wrong("p41-nonce-not-signed-on-delete") && request.method === "DELETE") orders.push([time, ""]);
    return orders.map((first) =>
      createHmac("sha256", secret)
        .update([...first, ...rest].join("\n"))
        .digest("hex"),
    );
  }

  #hashed(body: Buffer): Buffer | string {
    if (this.#wrong("p04-body-trimmed-before-hashing")) return body.toString("utf8").trim();
    if (!this.#wrong("p05-hashes-the-parsed-body") || body.length === 0) return body;
    try {
      return JSON.stringify(JSON.parse(body.toString("utf8")));
    } catch {
      return body;
    }
  }

  #same(digest: string, signature: string): boolean {
    return this.#wrong("p02-first-digits-not-compared")
      ? digest.length === signature.length && digest.slice(8) === signature.slice(8)
      : digest === signature;
  }
}
