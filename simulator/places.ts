/**
 * Where each request goes: to this node, or to the one that has its world. A world that nobody has is opened here.
 *
 * **Known limits.** For a world of which this node knows nothing, the server is asked at each request.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Owner } from "./exchanges/recorder.ts";
import type { FollowedWorld } from "./followed-world.ts";
import type { Followers } from "./followers.ts";
import { type Destination, destinationOf, Forwarder, forwardedBy, ownerGone } from "./forwarder.ts";
import type { Refusal } from "./http/errors.ts";
import { controlPrefix } from "./http/guard.ts";
import type { Listener } from "./http/listener.ts";
import { headersOf } from "./http/received-headers.ts";
import type { Handshake } from "./http/upgrade.ts";
import type { StreamWorld } from "./mount-stream.ts";
import { beginUse, type Held, type NodeWorlds } from "./node-worlds.ts";
import { sequenceHeader } from "./sequence-headers.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { type Holder, holderOf, livesAt, WorldHeld } from "./store/postgres/lease.ts";
import type { StoreServer } from "./store/postgres/server.ts";
import { mainWorld, type Worlds } from "./worlds.ts";

/** To this node, to another one, or nowhere. */
type Place =
  | { readonly to: null; readonly world: string | null }
  | { readonly to: Destination }
  | { readonly refusal: Refusal };

/** What can become of a request. */
interface Ways {
  readonly serve: () => void;
  /** Answers a request of a world that this node follows. */
  readonly read: (followed: FollowedWorld) => void;
  /** False: the node could not be reached. */
  readonly pass: (to: Destination) => Promise<boolean>;
  readonly refuse: (refusal: Refusal) => void;
}

/** `world` is one of this node; null: it needs none. */
const here = (world: string | null): Place => ({ to: null, world });
/** How long the holder of a world, and whether a node lives, are taken from memory. */
const knownForMs = 500;
/** A world that moves may be looked for where it has just been; nodes that contradict each other stop here. */
const mostPasses = 8;
/** Controls of the node, not of a world. */
const ofNode = new Set(["console", "control.json", "docs", "guide", "metrics", "nodes", "worlds"]);

export interface PlacesPlan {
  readonly server: StoreServer;
  readonly listener: Listener;
  readonly worlds: Worlds;
  readonly mine: NodeWorlds;
  readonly followers: Followers;
}

export class Places {
  readonly #plan: PlacesPlan;
  readonly #forwarder: Forwarder;
  readonly #known = new Map<string, { readonly holder: Holder; readonly at: number }>();

  readonly #signs = new Map<string, { readonly lives: Promise<boolean>; readonly at: number }>();

  constructor(plan: PlacesPlan) {
    this.#plan = plan;
    this.#forwarder = new Forwarder(plan.listener);
    plan.listener.app.addHook("onRequest", (request, reply, next) => this.#route(request, reply, next));
    plan.listener.app.addHook("onSend", ({ place }, reply, payload, done) => {
      if (place !== null) reply.header(sequenceHeader, place.answered);
      done(null, payload);
    });
  }

  /** The stream of a world is opened by `serve`, at this node or, passed on, at another. */
  handshake(handshake: Handshake, serve: (followed?: StreamWorld) => Promise<void>): void {
    const { headers, request, refuse } = handshake;
    const name = this.#worldOfKey(headers.credentials.keyId);
    this.#direct(name, request, {
      serve: () => {
        const held = this.#plan.mine.get(name);
        void serve().finally(held && beginUse(held));
      },
      read: ({ stream }) => void serve(stream),
      pass: (to) => this.#forwarder.handshake(handshake, to),
      refuse,
    });
  }

  /** Of a key of a world that this node follows. */
  ownerOf(keyId: string): Owner | undefined {
    const name = this.#worldOfKey(keyId);
    const followed = this.#plan.mine.get(name) === undefined ? this.#plan.followers.get(name) : undefined;
    return followed?.ownerOf(keyId);
  }

  close(): void {
    this.#forwarder.close();
  }

  #route(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const name = this.#worldOf(request);
    if (name === null) return next();
    const { mine } = this.#plan;
    const held = mine.get(name);
    if (held !== undefined) return this.#serve(held, reply, next);
    const { raw } = request;
    this.#direct(name, raw, {
      serve: () => {
        const opened = mine.get(name);
        if (opened === undefined) next();
        else this.#serve(opened, reply, next);
      },
      read: ({ gateway }) => {
        request.gateway = gateway;
        next();
      },
      pass: (to) => this.#forwarder.request(request, reply, to, () => this.#plan.followers.passed(name)),
      refuse: (refusal) => this.#plan.listener.refuse(request, reply, refusal),
    });
  }

  /** A place that cannot be reached is looked up once more: the world may have moved. */
  #direct(name: string, message: IncomingMessage, ways: Ways): void {
    const passed = passedBy(message);
    const go = async (isAgain: boolean): Promise<void> => {
      const place = await this.#placeOf(name, passed);
      if ("refusal" in place) return ways.refuse(place.refusal);
      if (place.to === null) {
        // It may have begun to go since it was looked for.
        if (place.world !== null && this.#plan.mine.get(place.world) === undefined) return go(isAgain);
        return ways.serve();
      }
      const followed = await this.#followed(name, message, passed);
      if (followed !== undefined) return ways.read(followed);
      if (await ways.pass(place.to)) return;
      this.#known.delete(name);
      if (isAgain) return ways.refuse(ownerGone);
      return go(true);
    };
    go(false).catch((error: unknown) =>
      ways.refuse(error instanceof StoreFailure ? unopened(error) : storeAway),
    );
  }

  /** What another node has passed on is answered by the owner alone. */
  async #followed(
    name: string,
    message: IncomingMessage,
    passed: readonly string[],
  ): Promise<FollowedWorld | undefined> {
    return passed.length > 0 || isControl(message) ? undefined : this.#plan.followers.reading(name, message);
  }

  #serve(held: Held, reply: FastifyReply, next: () => void): void {
    reply.raw.once("close", beginUse(held));
    next();
  }

  /** Null: it is about the node itself. */
  #worldOf({ raw, is404 }: FastifyRequest): string | null {
    const { url = "" } = raw;
    if (is404) return null;
    if (!isControl(raw)) return this.#ofSignedRoute(raw);
    const [first = "", second = ""] = url.slice(controlPrefix.length + 1).split(/[/?#]/, 2);
    if (first === "worlds" && second !== "") return second;
    return ofNode.has(first) ? null : mainWorld;
  }

  #ofSignedRoute(raw: FastifyRequest["raw"]): string | null {
    if (/^[^?]*\/health\//.test(raw.url ?? "")) return null;
    return this.#worldOfKey(headersOf(raw).credentials.keyId);
  }

  /** The key ids of a world beside `main` end in its name, which has no underscore. */
  #worldOfKey(keyId = ""): string {
    const suffix = /_([a-z][a-z0-9-]{0,39})$/.exec(keyId)?.[1];
    const { worlds } = this.#plan;
    return suffix === undefined || worlds.main.keyOf(keyId) !== undefined ? mainWorld : suffix;
  }

  /** `passed`: the nodes that have sent it here, each by what the store said. */
  async #placeOf(name: string, passed: readonly string[]): Promise<Place> {
    const { server, mine } = this.#plan;
    await mine.settled(name);
    if (mine.get(name) !== undefined) return here(name);
    const known = this.#known.get(name);
    const isFresh = passed.length === 0 && known !== undefined && performance.now() - known.at < knownForMs;
    const holder = isFresh ? known.holder : await holderOf(server, name);
    if (holder === undefined)
      return name === mainWorld ? this.#opened(name) : this.#placeOfUnknown(name, passed);
    if (holder.node === null || holder.node === server.node) return this.#opened(name);
    this.#known.set(name, { holder, at: isFresh ? known.at : performance.now() });
    if (holder.address === null || passed.length >= mostPasses) return { refusal: ownerGone };
    const { address } = holder;
    const lives = (): Promise<boolean> => this.#lives(address);
    return { to: { ...destinationOf(address), through: [...passed, server.node], lives } };
  }

  /** Whether the node there gives signs of life; true where the store cannot say. */
  #lives(address: string): Promise<boolean> {
    const known = this.#signs.get(address);
    if (known !== undefined && performance.now() - known.at < knownForMs) return known.lives;
    const lives = livesAt(this.#plan.server, address).catch(() => true);
    this.#signs.set(address, { lives, at: performance.now() });
    return lives;
  }

  /** The controls say that there is no such world, and a key that no world knows is refused by `main`. */
  #placeOfUnknown(name: string, passed: readonly string[]): Promise<Place> | Place {
    return this.#plan.worlds.get(name) === undefined ? this.#placeOf(mainWorld, passed) : here(null);
  }

  async #opened(name: string): Promise<Place> {
    try {
      await this.#plan.mine.open(name);
      return here(name);
    } catch (error) {
      if (!(error instanceof WorldHeld)) throw error;
      this.#known.delete(name);
      return { refusal: ownerGone };
    }
  }
}

const isControl = ({ url }: IncomingMessage): boolean => url?.startsWith(`${controlPrefix}/`) === true;

/** The nodes that have passed it on. */
const passedBy = ({ headers }: IncomingMessage): readonly string[] =>
  [headers[forwardedBy] ?? []].flat().flatMap((names) => names.split(","));

const unopened = ({ message }: StoreFailure): Refusal => ({
  code: "NOT_READY",
  message: `${message} Nothing was done.`,
  close: true,
});
const storeAway: Refusal = {
  code: "NOT_READY",
  message: "The store of the worlds cannot be reached. Nothing was done: send it again.",
  close: true,
};
