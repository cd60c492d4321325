import type { SentRequest } from "../model/exchange.ts";

/**
 * The placements that have left and whose answers have not been read yet, and the messages that were heard meanwhile. A
 * message may come before the answer that explains it, by any time on a busy machine. So it is judged when each
 * placement that was under way when it came has been answered, and messages are judged in the order in which they came.
 */
export class Placements {
  /** In the order in which they left. */
  readonly #underWay = new Map<number, { readonly request: SentRequest; readonly keys: readonly string[] }>();
  readonly #waiting: { readonly last: number; readonly judge: () => void }[] = [];
  #count = 0;

  /** Called before the request leaves. `keys` are all client_order_ids that any reader could find in it. */
  sent(request: SentRequest, keys: readonly string[]): void {
    this.#count += 1;
    this.#underWay.set(this.#count, { request, keys: keys.map((key) => key.toLowerCase()) });
  }

  /** Is an answer still to be read that may show an order with this id? */
  isUnderWay(clientOrderId: string): boolean {
    return [...this.#underWay.values()].some(({ keys }) => keys.includes(clientOrderId));
  }

  /** Called when the answer was read, or when there will be none. One request may have been sent several times. */
  answered(request: SentRequest): void {
    const found = [...this.#underWay].find(([, sent]) => sent.request === request);
    if (found !== undefined) this.#underWay.delete(found[0]);
    this.#judge();
  }

  /** Judges now or after the answers to everything that is under way now. */
  afterwards(judge: () => void): void {
    this.#waiting.push({ last: this.#count, judge });
    this.#judge();
  }

  #judge(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#underWay.keys();
    const at = this.#waiting.findIndex(({ last }) => last >= oldest);
    const ready = Math.max(at === -1 ? this.#waiting.length : at, this.#waiting.length - mostWaiting);
    for (const { judge } of this.#waiting.splice(0, ready)) judge();
  }
}

/** A target may send more messages than can be kept while it answers nothing. */
const mostWaiting = 5000;
