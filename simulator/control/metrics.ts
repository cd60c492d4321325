/**
 * What a process does, in the text format of Prometheus: `GET /__gatewright/metrics`. The library that counts is loaded with the
 * first request for it, and counts from then on: a sandbox that nobody measures pays nothing.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RawRefusal } from "../http/connections.ts";
import { statusOf } from "../http/errors.ts";
import type { ExchangeObserver } from "../http/observers.ts";
import type { CommittedEntry } from "../sequencer/sequencer-ports.ts";
import type { ControlledWorld, ControlledWorlds } from "./control-route.ts";

/** Seconds. */
const times = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const entryCounts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export class Metrics implements ExchangeObserver {
  readonly #worlds: ControlledWorlds;
  readonly #registry = new Registry();
  readonly #followed = new WeakSet<ControlledWorld["venue"]>();
  readonly #requests;
  readonly #duration;
  readonly #commit;
  readonly #batch;

  constructor(worlds: ControlledWorlds) {
    this.#worlds = worlds;
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: "gatewright_requests_total",
      help: "Requests by route and status; 0 of one that got no answer.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#duration = new Histogram({
      name: "gatewright_request_duration_seconds",
      help: "From the arrival of a request to its answer.",
      labelNames: ["method", "route"],
      buckets: times,
      registers,
    });
    this.#commit = new Histogram({
      name: "gatewright_commit_duration_seconds",
      help: "How long the store took to commit a batch: one flush of the disk, or one answer of the server.",
      buckets: times,
      registers,
    });
    this.#batch = new Histogram({
      name: "gatewright_commit_entries",
      help: "Entries of a batch.",
      buckets: entryCounts,
      registers,
    });
    for (const [name, help, read] of ofWorlds) this.#gauge(name, help, read);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    for (const { venue } of this.#worlds.all()) this.#follow(venue);
    return this.#registry.metrics();
  }

  answered({ method, routeOptions, arrivedAt }: FastifyRequest, { statusCode }: FastifyReply): void {
    const route = routeOptions.url ?? "none";
    this.#requests.inc({ method, route, status: statusCode });
    // One that Fastify refuses itself has not been through the gate.
    if (arrivedAt > 0) this.#duration.observe({ method, route }, (performance.now() - arrivedAt) / 1000);
  }

  dropped({ method, routeOptions }: FastifyRequest): void {
    this.#requests.inc({ method, route: routeOptions.url ?? "none", status: 0 });
  }

  refusedOnSocket({ request, refusal }: RawRefusal): void {
    this.#requests.inc({ method: request?.method ?? "none", route: "none", status: statusOf(refusal) });
  }

  #follow(venue: ControlledWorld["venue"]): void {
    if (this.#followed.has(venue)) return;
    this.#followed.add(venue);
    const committed = (entries: readonly CommittedEntry[], tookMs: number): void => {
      this.#commit.observe(tookMs / 1000);
      this.#batch.observe(entries.length);
    };
    venue.follow({ committed, restored: () => undefined, stopped: () => undefined });
  }

  #gauge(name: string, help: string, read: (world: ControlledWorld) => number): void {
    const worlds = this.#worlds;
    new Gauge({
      name,
      help,
      labelNames: ["world"],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const world of worlds.all()) this.set({ world: world.name }, read(world));
      },
    });
  }
}

const ofWorlds: readonly (readonly [name: string, help: string, read: (world: ControlledWorld) => number])[] =
  [
    [
      "gatewright_world_up",
      "1 while the world takes orders.",
      ({ venue }) => Number(venue.mode === "running"),
    ],
    ["gatewright_world_entries", "The number of the last entry.", ({ venue }) => venue.state.seq],
    ["gatewright_world_waiting_requests", "Requests that wait for a batch.", ({ venue }) => venue.waiting],
    ["gatewright_world_streams", "Open WebSockets.", ({ streams }) => streams.size],
    [
      "gatewright_world_stream_queue_bytes",
      "Bytes that clients have not read.",
      ({ streams }) => streams.queuedBytes,
    ],
  ];
