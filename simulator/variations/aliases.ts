/**
 * The engine knows each `client_order_id` once. A bug that makes a second order for one, or an order for something that
 * is no id, gives the order another name inside; every answer says the name that the client knows.
 */
import { randomUUID } from "node:crypto";
import type { Answer } from "./defect.ts";

export class Aliases {
  readonly #names = new Map<string, string>();

  /** A new name inside for what the client calls `name`. */
  another(name: string, alias: string = randomUUID()): string {
    this.#names.set(alias, name);
    return alias;
  }

  readonly answer = (answer: Answer): Answer => {
    let { body } = answer;
    for (const [alias, name] of this.#names) {
      if (body.includes(alias)) body = body.replaceAll(alias, JSON.stringify(name).slice(1, -1));
    }
    return { ...answer, body };
  };
}
