/** Liveness and readiness: unsigned, unlimited, enveloped (F-health-probes). */
import type { Venue } from "../sequencer/venue.ts";
import { isoTime } from "../wire/envelope.ts";
import type { Listener } from "./listener.ts";

/** `now` is the clock of authentication: `serverTime` is how a client finds out by how much its own is wrong. */
export function mountHealth(
  listener: Listener,
  prefix: string,
  venueNow: () => Venue,
  now: () => number,
): void {
  const { app } = listener;
  app.get(`${prefix}/health/live`, (_request, reply) => {
    reply.header("cache-control", "no-store").send(healthBody(200, { server: "up" }, now()));
  });
  app.get(`${prefix}/health/ready`, (_request, reply) => {
    const venue = venueNow();
    const up = venue.mode === "running" && !listener.isClosing();
    const status = up ? 200 : 503;
    if (!up) reply.header("retry-after", "1");
    const database = venue.mode === "read-only" ? "down" : "up";
    const engine = venue.mode === "stopped" || venue.mode === "closed" ? "down" : "up";
    reply
      .code(status)
      .header("cache-control", "no-store")
      .send(healthBody(status, { database, engine }, now(), venue.trouble));
  });
}

type State = "up" | "down";

function healthBody(
  statusCode: number,
  states: Readonly<Record<string, State>>,
  now: number,
  trouble: string | null = null,
): object {
  const having = (state: State): object =>
    Object.fromEntries(
      Object.entries(states)
        .filter(([, value]) => value === state)
        .map(([name]) => [name, { status: state }]),
    );
  const details = Object.fromEntries(Object.entries(states).map(([name, status]) => [name, { status }]));
  const healthy = statusCode === 200;
  return {
    statusCode,
    success: healthy,
    message: healthy ? "OK" : (trouble ?? "The venue is not ready"),
    data: {
      status: healthy ? "ok" : "error",
      info: having("up"),
      error: having("down"),
      details,
      version: "1.0",
      serverTime: isoTime(now),
    },
  };
}
