import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Key, keys } from "./world.ts";

/** A request or the handshake of a stream, before anybody knows whose it is. */
export interface Visit {
  readonly transport: "rest" | "stream";
  readonly method: string;
  /** As on the wire, query included. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The connection that it came in on; the same object for all its requests. */
  readonly connection: object;
}

export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const tolerance = 60_000;

/** Lets in who has signed, once for each nonce. The query is part of the signed path. */
export class Authenticator {
  readonly spent = new Set<string>();

  admit(visit: Visit): Key | Promise<Key> {
    const [keyId, timestamp, nonce, signature] = ["key", "timestamp", "nonce", "signature"].map((name) =>
      this.header(visit, name),
    );
    if (!keyId || !timestamp || !nonce || !signature) throw new Refusal(401, "credentials are incomplete");
    const key = this.keyNamed(keyId, visit);
    if (key === undefined) throw new Refusal(401, "this key opens nothing");
    if (!this.isFresh(timestamp)) throw new Refusal(401, "the timestamp is not of this minute");
    if (!uuid.test(nonce)) throw new Refusal(401, "the nonce is not a UUID");
    if (!this.isGenuine(visit, key, this.canonical(visit, timestamp, nonce), signature))
      throw new Refusal(401, "the signature does not fit");
    return this.spend(this.mark(key, nonce, visit), key);
  }

  header({ headers }: Visit, name: string): string | undefined {
    const value = headers[`x-api-${name}`];
    return typeof value === "string" ? value : undefined;
  }

  keyNamed(id: string, _visit: Visit): Key | undefined {
    const key: Key | undefined = Object.values(keys).find((known) => known.id === id);
    return key?.revoked === true ? undefined : key;
  }

  isFresh(timestamp: string): boolean {
    return /^\d{13}$/.test(timestamp) && Math.abs(Date.now() - Number(timestamp)) <= tolerance;
  }

  canonical(visit: Visit, timestamp: string, nonce: string): string {
    const { method } = visit;
    return [
      timestamp,
      nonce,
      method,
      this.signedPath(visit),
      "application/json",
      this.digest(visit.body, visit),
    ].join("\n");
  }

  signedPath({ target }: Visit): string {
    return target;
  }

  digest(body: Buffer, _visit: Visit): string {
    return createHash("sha256").update(body).digest("hex");
  }

  isGenuine(_visit: Visit, key: Key, canonical: string, signature: string): boolean {
    return this.same(this.sign(key, canonical), signature);
  }

  sign(key: Key, canonical: string): string {
    return createHmac("sha256", key.secret).update(canonical).digest("hex");
  }

  same(wanted: string, given: string): boolean {
    return wanted === given;
  }

  /** The form in which a used nonce is kept: the letter case does not matter. */
  mark(key: Key, nonce: string, _visit: Visit): string {
    return `${key.id} ${nonce.toLowerCase()}`;
  }

  spend(mark: string, key: Key): Key | Promise<Key> {
    if (this.spent.has(mark)) throw new Refusal(401, "the nonce has been used");
    this.spent.add(mark);
    return key;
  }
}
