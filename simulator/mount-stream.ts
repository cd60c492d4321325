/**
 * Puts the stream on the listener: the handshake passes the guard, the limits and the authentication of every signed
 * request, with the nonce from the same memory (F-nonce-shared-with-websocket), and only then becomes a WebSocket. A refused
 * client gets an HTTP answer with the body of every error, never a connection that closes (F-ws-refusal).
 */
import type { IncomingMessage } from "node:http";
import type { Caller } from "./auth/keyring.ts";
import { err, ok, type Result } from "./domain/result.ts";
import type { Access } from "./http/access.ts";
import { type Refusal, refusalOf } from "./http/errors.ts";
import type { TradingVenue } from "./http/gateway.ts";
import { tooManyConnections } from "./http/limits.ts";
import type { Listener } from "./http/listener.ts";
import { addUpgrades, authenticateHandshake, type Handshake } from "./http/upgrade.ts";
import type { Hub } from "./stream/hub.ts";
import type { StreamObserver } from "./stream/stream-record.ts";

export interface StreamMount {
  readonly listener: Listener;
  readonly worlds: StreamWorlds;
  /** Null: all worlds are here. */
  readonly nodes: {
    readonly handshake: (handshake: Handshake, serve: (followed?: StreamWorld) => Promise<void>) => void;
  } | null;
  /** Whole path, for example `/api/v1/trading/ws`. */
  readonly path: string;
  /** Hears of each WebSocket that was accepted. */
  readonly opened?: ((request: IncomingMessage, id: string) => StreamObserver) | undefined;
}

export interface StreamWorlds {
  /** Of an unknown key, the world that refuses it. */
  readonly ofKey: (keyId: string) => { readonly stream: StreamWorld };
  readonly all: () => readonly { readonly stream: StreamWorld }[];
}

/** The stream of one world. */
export interface StreamWorld {
  readonly access: Access;
  readonly venue: TradingVenue;
  readonly stream: Hub;
  /** Set in a venue that misbehaves on purpose. */
  readonly refuse?: (handshake: Handshake, refusal: Refusal) => void;
}

export function mountStream(mount: StreamMount): void {
  const { listener, worlds, nodes, path } = mount;
  addUpgrades(
    listener,
    new Map([
      [
        path,
        (handshake) => {
          const serve = (followed?: StreamWorld): Promise<void> => {
            const stream = followed ?? worlds.ofKey(handshake.headers.credentials.keyId).stream;
            const { refuse = honestly } = stream;
            return decide(mount, stream, handshake).catch((error: unknown) =>
              refuse(handshake, refusalOf(error)),
            );
          };
          if (nodes === null) void serve();
          else nodes.handshake(handshake, serve);
        },
      ],
    ]),
  );
  listener.app.addHook("preClose", (done) => {
    for (const { stream } of worlds.all()) stream.stream.endAll(1001);
    done();
  });
}

const honestly = (handshake: Handshake, refusal: Refusal): void => handshake.refuse(refusal);

async function decide(
  { listener, opened }: StreamMount,
  world: StreamWorld,
  handshake: Handshake,
): Promise<void> {
  const { venue, stream, access, refuse = honestly } = world;
  await stream.prepare();
  const authenticated = authenticateHandshake(access, handshake);
  if (!authenticated.ok) return refuse(handshake, authenticated.error);
  const { caller, nonce } = authenticated.value;
  await venue.execute(null, nonce);
  const admitted = admit(listener, world, caller);
  if (!admitted.ok) return refuse(handshake, admitted.error);
  const { request, socket, head, id } = handshake;
  handshake.accept();
  stream.open(request, socket, head, { caller: admitted.value, id, observer: opened?.(request, id) });
}

/** Checks of conditions that can have changed since the signature was verified. */
function admit(
  listener: Listener,
  { access, venue, stream }: StreamWorld,
  caller: Caller,
): Result<Caller, Refusal> {
  if (listener.isClosing())
    return err({ code: "NOT_READY", message: "The venue is shutting down. Connect again when it is back." });
  if (venue.state.keyState(caller.keyId) === "disabled")
    return err({ code: "INVALID_API_KEY", message: "This API key was disabled." });
  const refusal =
    access.keyLimit?.(caller.keyId).refusal ?? (stream.hasRoom(caller.keyId) ? null : tooManyConnections);
  return refusal === null ? ok(caller) : err(refusal);
}
