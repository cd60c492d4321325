/** Pages of the simulator for people. What is heavy is loaded at the first request, not at start. */
import type { Listener } from "../http/listener.ts";
import { CONSOLE_POLICY, consolePage } from "./console-page.ts";

export interface GuideOptions {
  readonly prefix: string;
  readonly tradingPrefix: string;
}

export function mountGuide(listener: Listener, { prefix, tradingPrefix }: GuideOptions): void {
  const { app } = listener;
  app.get(`${prefix}/console`, (_request, reply) => {
    reply
      .header("content-security-policy", CONSOLE_POLICY)
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "no-referrer")
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(consolePage(tradingPrefix));
  });
}
