import { Client } from "undici";
import type { ControlAccess } from "../model/credential.ts";
import { Blocked } from "../model/outcome.ts";
import { isLoopback } from "../model/profile.ts";
import { pinnedLookup } from "./address.ts";

interface ControlAnswer {
  readonly status: number;
  readonly text: string;
  readonly refusal?: string;
}

/**
 * The control surface of a target that has one: its market clock and its faults. It is not part of the interface that
 * is judged, so nothing here becomes a finding; a refusal makes a case BLOCKED.
 */
export class Control {
  readonly #base: string;
  readonly #token: string | undefined;
  readonly #client: Client;
  #followsRealTime = false;

  constructor(control: ControlAccess) {
    const { hostname, origin, pathname } = new URL(control.url);
    if (!isLoopback(hostname)) throw new Blocked("the control surface is used on this machine only");
    this.#client = new Client(origin, { connect: { lookup: pinnedLookup(hostname) } });
    this.#base = pathname.replace(/\/+$/, "");
    this.#token = control.token;
  }

  /** False if the clock follows real time. The target reports that with a 409, and is asked only once. */
  async advance(milliseconds: number): Promise<boolean> {
    if (this.#followsRealTime) return false;
    const { status, refusal } = await this.#ask("POST", "/clock", { advanceMs: milliseconds });
    this.#followsRealTime = status === 409;
    if (this.#followsRealTime) return false;
    if (refusal !== undefined) throw new Blocked(refusal);
    return true;
  }

  /**
   * The milliseconds until the next event that is due on the target; undefined if there is none, `unknown` if the
   * target does not say.
   */
  async dueIn(): Promise<number | "unknown" | undefined> {
    const { refusal, text } = await this.#ask("GET", "/clock");
    if (refusal !== undefined) return "unknown";
    const { now, nextDue } = clockIn(text);
    if (nextDue === null) return undefined;
    const wait = Date.parse(String(nextDue)) - Date.parse(String(now));
    return Number.isNaN(wait) ? "unknown" : wait;
  }

  setClock(iso: string): Promise<void> {
    return this.#order("POST", "/clock", { to: iso });
  }

  inject(rules: readonly unknown[]): Promise<void> {
    return this.#order("POST", "/faults", { rules });
  }

  clearFaults(): Promise<void> {
    return this.#order("DELETE", "/faults");
  }

  async #order(method: "POST" | "DELETE", path: string, body?: unknown): Promise<void> {
    const { refusal } = await this.#ask(method, path, body);
    if (refusal !== undefined) throw new Blocked(refusal);
  }

  async #ask(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<ControlAnswer> {
    const headers = {
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const options = {
      method,
      headers,
      path: this.#base + path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const reply = await this.#client.request(options).catch((error: Error) => {
      throw new Blocked(`the control surface does not answer: ${error.message}`);
    });
    const text = await reply.body.text();
    const status = reply.statusCode;
    return status < 300
      ? { status, text }
      : {
          status,
          text,
          refusal: `the control surface refused ${method} ${path} with ${status}: ${text.slice(0, 200)}`,
        };
  }
}

function clockIn(text: string): { readonly now?: unknown; readonly nextDue?: unknown } {
  try {
    // as: any value is possible, so each member is checked.
    return (JSON.parse(text) as { readonly data?: object } | null)?.data ?? {};
  } catch {
    return {};
  }
}
