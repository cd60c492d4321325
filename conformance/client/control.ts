import { request } from "undici";
import { Blocked } from "../model/outcome.ts";
import { isLoopback } from "../model/profile.ts";

/**
 * The control surface of a target that has one: its market clock and its faults. It is no part of the interface that
 * is judged, so nothing here ever becomes a finding; what it refuses makes a case BLOCKED.
 */
export class Control {
  readonly #url: string;
  readonly #token: string | undefined;

  constructor(control: { readonly url: string; readonly token?: string }) {
    if (!isLoopback(new URL(control.url).hostname))
      throw new Blocked("the control surface is used on this machine only");
    this.#url = control.url;
    this.#token = control.token;
  }

  advance(milliseconds: number): Promise<void> {
    return this.#send("POST", "/clock", { advanceMs: milliseconds });
  }

  setClock(iso: string): Promise<void> {
    return this.#send("POST", "/clock", { to: iso });
  }

  inject(rules: readonly unknown[]): Promise<void> {
    return this.#send("POST", "/faults", { rules });
  }

  clearFaults(): Promise<void> {
    return this.#send("DELETE", "/faults");
  }

  async #send(method: "POST" | "DELETE", path: string, body?: unknown): Promise<void> {
    const headers = {
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const reply = await request(this.#url + path, options).catch((error: Error) => {
      throw new Blocked(`the control surface does not answer: ${error.message}`);
    });
    const text = await reply.body.text();
    if (reply.statusCode >= 300)
      throw new Blocked(
        `the control surface refused ${method} ${path} with ${reply.statusCode}: ${text.slice(0, 200)}`,
      );
  }
}
