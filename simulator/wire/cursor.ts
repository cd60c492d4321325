/**
 * Opaque cursors (F-order-list): the last item of a page, and a keyed tag over it and all that it belongs to: list, client,
 * filters, direction. New rows never shift or repeat a page. A cursor that was shortened, edited or
 * made for something else has the wrong tag. The item is an id of its own, so the number behind it is not shown.
 */
import { createHmac } from "node:crypto";
import { Identity } from "../domain/identity.ts";

/** The values that a cursor belongs to. With other values, or in another order, it is a different cursor. */
export type CursorScope = Readonly<Record<string, unknown>>;

const idBytes = 16;
/** With the id a multiple of three, so that no character of the text has bits to spare. */
const tagBytes = 14;

export class Cursors {
  readonly #ids: Identity;
  readonly #key: string;
  readonly #list: string;

  constructor(seed: number, list: string) {
    this.#ids = new Identity(seed, `cursor ${list}`);
    this.#key = `cursor ${seed}`;
    this.#list = list;
  }

  encode(after: number, scope: CursorScope): string {
    const id = Buffer.from(this.#ids.idOf(after).replaceAll("-", ""), "hex");
    return Buffer.concat([id, this.#tag(id, scope)]).toString("base64url");
  }

  /** Number of the last item; null when it is no cursor of this list, client and filters. */
  decode(text: string, scope: CursorScope): number | null {
    const bytes = Buffer.from(text, "base64url");
    if (bytes.length !== idBytes + tagBytes) return null;
    const id = bytes.toString("hex", 0, idBytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    const after = this.#ids.numberOf(id);
    return after !== null && this.encode(after, scope) === text ? after : null;
  }

  #tag(id: Buffer, scope: CursorScope): Buffer {
    const hmac = createHmac("sha256", this.#key)
      .update(JSON.stringify([this.#list, scope]))
      .update(id);
    return hmac.digest().subarray(0, tagBytes);
  }
}
