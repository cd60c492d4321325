import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Variation } from "./variations.ts";

/** Minutes of clock difference that are fine. The specification names no number. */
const toleranceMs = 5 * 60_000;
const closeMs = 5_000;

/** Is this request signed as the document says? Written from it alone; shares nothing with the kit that it is there to test. */
export class SignatureCheck {
  readonly #keys: ReadonlyMap<string, string>;
  readonly #variations: ReadonlySet<Variation>;
  readonly #nonces = new Set<string>();

  constructor(keys: ReadonlyMap<string, string>, variations: ReadonlySet<Variation>) {
    this.#keys = keys;
    this.#variations = variations;
  }

  accepts(request: IncomingMessage, body: Buffer): boolean {
    if (!this.isSigned(request, body)) return false;
    // Only now: a stranger's request must not use up the nonce of a client.
    const used = `${String(request.headers["x-api-key"])} ${String(request.headers["x-api-nonce"]).toLowerCase()}`;
    if (this.#nonces.has(used)) return false;
    this.#nonces.add(used);
    return true;
  }

  /** By a known key and in time, whether or not it was seen before. */
  isSigned(request: IncomingMessage, body: Buffer): boolean {
    const [key, stamp, nonce, signature] = ["key", "timestamp", "nonce", "signature"].map((name) =>
      String(request.headers[`x-api-${name}`] ?? ""),
    ) as [string, string, string, string];
    const secret = this.#keys.get(key);
    if (secret === undefined || nonce === "" || !/^[1-9]\d{12}$/.test(stamp)) return false;
    const tolerance = this.#variations.has("looks-at-the-clock-closely") ? closeMs : toleranceMs;
    if (Math.abs(Date.now() - Number(stamp)) > tolerance) return false;
    if (this.#variations.has("asks-for-a-uuid-as-nonce") && !uuid.test(nonce)) return false;
    const target = request.url ?? "";
    const signed = [target.replace(/\?.*$/s, "")];
    if (this.#variations.has("lets-the-query-be-signed")) signed.push(target);
    const bodyHash = createHash("sha256").update(body).digest("hex");
    return signed.some((path) => {
      const canonical = [stamp, nonce, request.method, path, "application/json", bodyHash].join("\n");
      return sameDigest(createHmac("sha256", secret).update(canonical).digest("hex"), signature);
    });
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function sameDigest(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
