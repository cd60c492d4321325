/**
 * Handshakes of WebSockets. They pass the same guard and the same two phases of authentication as any other
 * request, with the nonce from the same memory, before anything is switched. A refused handshake gets a
 * whole HTTP answer and its socket is gone a second later; one without a decision is closed too. Neither
 * can keep the server from closing.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Verified } from "../auth/authenticate.ts";
import type { Result } from "../domain/result.ts";
import { type Access, screen, verify } from "./access.ts";
import type { Refusal } from "./errors.ts";
import { guard, guardedOf } from "./guard.ts";
import type { Listener } from "./listener.ts";
import { printable } from "./printable.ts";
import { headersOf, type ReceivedHeaders } from "./received-headers.ts";
import { declineOffer, offersWebSocket, takePath } from "./standard-requests.ts";

export interface Handshake {
  /** The `x-request-id` of its answer. */
  readonly id: string;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly headers: ReceivedHeaders;
  /** Answers with the error body and closes. */
  readonly refuse: (refusal: Refusal) => void;
  /** To be called right before the socket is handed to the WebSocket server, which then owns it. */
  readonly accept: () => void;
}

/** `routes`: path (without query) to what decides about the handshake. All other upgrades are refused. */
export function addUpgrades(
  listener: Listener,
  routes: ReadonlyMap<string, (handshake: Handshake) => void>,
): void {
  const { app, connections, guards, isClosing, settings } = listener;
  // A request without an upgrade has the right path: 426 tells it what is missing.
  for (const path of routes.keys())
    app.get(path, (request, reply) => listener.refuse(request, reply, notAWebsocket));
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const broken = (): void => void socket.destroy();
    socket.on("error", broken);
    takePath(request);
    connections.afterAnswers(request.socket, () => {
      if (offersWebSocket(request)) return decideUpgrade(request, socket, head);
      socket.off("error", broken);
      declineOffer(app.server, request, socket, head);
    });
  });

  function decideUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { url: target = "", method = "" } = request;
    // Of several offers this one is taken.
    request.headers.upgrade = "websocket";
    const headers = headersOf(request);
    let isAccepted = false;
    const refuse = (refusal: Refusal): void => {
      // After any later error, this is no longer an HTTP connection.
      if (isAccepted) socket.destroy();
      else connections.refuseSocket(request, refusal);
    };
    const refusal = isClosing() ? closingRefusal : guard(guardedOf(request, headers), guards);
    if (refusal !== null) return refuse(refusal);
    const decide = routes.get(target.split("?", 1)[0] ?? "");
    if (decide === undefined) return refuse(noStreamAt(target, routes.keys()));
    if (method !== "GET") return refuse(listener.routes.refusalOf(method, target));
    const wrong = wrongHandshake(request.headers);
    if (wrong !== null) return refuse(wrong);
    const undecided = setTimeout(() => socket.destroy(), settings.requestTimeoutMs).unref();
    socket.once("close", () => clearTimeout(undecided));
    const accept = (): void => {
      clearTimeout(undecided);
      isAccepted = true;
      connections.release(request.socket);
    };
    decide({ id: connections.idOf(request), request, socket, head, headers, refuse, accept });
  }
}

const noStreamAt = (target: string, paths: Iterable<string>): Refusal => ({
  code: "ROUTE_NOT_FOUND",
  message: `There is no WebSocket at ${printable(target)}. It is at ${[...paths].join(", ")}.`,
});

const key = /^[A-Za-z0-9+/]{22}==$/;

/** The rules of RFC 6455 for a handshake, checked before the nonce is used up. */
function wrongHandshake(headers: IncomingHttpHeaders): Refusal | null {
  if (headers["sec-websocket-version"] !== "13") return otherVersion;
  return key.test(headers["sec-websocket-key"] ?? "") ? null : noKey;
}

const otherVersion: Refusal = {
  code: "UPGRADE_REQUIRED",
  message: "Only version 13 of WebSocket is supported here. Send Sec-WebSocket-Version: 13.",
  headers: { upgrade: "websocket", "sec-websocket-version": "13" },
};
const noKey: Refusal = {
  code: "MALFORMED_REQUEST",
  message: "Sec-WebSocket-Key must be 16 random bytes in base64: 24 characters.",
};
const closingRefusal: Refusal = {
  code: "NOT_READY",
  message: "The venue is shutting down. Connect again when it is back.",
};
const notAWebsocket: Refusal = {
  code: "UPGRADE_REQUIRED",
  message: "This path speaks WebSocket only. Send Upgrade: websocket.",
  headers: { upgrade: "websocket" },
};

/** The caller, if the request is accepted. The nonce is to be committed before the handshake is answered. */
export function authenticateHandshake(
  access: Access,
  { request, headers }: Handshake,
): Result<Verified, Refusal> {
  const screened = screen(access, headers, request.socket.remoteAddress ?? "");
  if (!screened.ok) return screened;
  const { host, contentType } = headers;
  const target = request.url ?? "";
  return verify(access, screened.value, { method: "GET", target, host, contentType, body: new Uint8Array() });
}
