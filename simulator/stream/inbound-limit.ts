/**
 * How much a client may send: a token bucket over everything that arrives, pings and pongs included. Each frame beyond it
 * is refused; ten refusals in a row end the connection.
 */
export const MOST_STRIKES = 10;

export class InboundLimit {
  private readonly perSecond: number;
  private tokens: number;
  private at: number;
  private refusals = 0;

  constructor(perSecond: number, now: number) {
    this.perSecond = perSecond;
    this.tokens = 2 * perSecond;
    this.at = now;
  }

  /** `now` in milliseconds of real time. */
  allows(now: number): boolean {
    const earned = ((now - this.at) / 1000) * this.perSecond;
    this.tokens = Math.min(2 * this.perSecond, this.tokens + Math.max(0, earned));
    this.at = now;
    if (this.tokens < 1) {
      this.refusals++;
      return false;
    }
    this.tokens--;
    this.refusals = 0;
    return true;
  }

  get isExhausted(): boolean {
    return this.refusals >= MOST_STRIKES;
  }
}
