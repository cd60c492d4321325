/**
 * A key of the target. Its text form is «trader.secret», so that logs cannot leak the secret: it is no property that
 * JSON, a template or an inspection would show. Only the explicit accessor returns it.
 */
export class Credential {
  readonly role: string;
  readonly keyId: string;
  readonly claims: readonly string[];
  readonly client: string;
  readonly #secret: string;

  constructor(parts: {
    readonly role: string;
    readonly keyId: string;
    readonly secret: string;
    readonly claims: readonly string[];
    readonly client: string;
  }) {
    this.role = parts.role;
    this.keyId = parts.keyId;
    this.claims = parts.claims;
    this.client = parts.client;
    this.#secret = parts.secret;
  }

  get secret(): string {
    return this.#secret;
  }

  toString(): string {
    return `«${this.role}.secret»`;
  }

  toJSON(): object {
    const { role, keyId, claims, client } = this;
    return { role, keyId: shortKeyId(keyId), secret: String(this), claims, client };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.toJSON();
  }
}

/** Enough of a key id to tell two keys apart, too little to be worth stealing. */
export function shortKeyId(keyId: string): string {
  return keyId.length <= 4 ? keyId : `${keyId.slice(0, 4)}…`;
}

/**
 * The address where the target's clock and faults are set, and the token for it. The token is protected like a secret.
 */
export class ControlAccess {
  readonly url: string;
  readonly #token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.#token = token;
  }

  get token(): string | undefined {
    return this.#token;
  }
}
