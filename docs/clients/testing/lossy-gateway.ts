/** A gateway whose stream sends what a test tells it to: losses, repetitions, fragments. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface LossyGateway {
  readonly baseUrl: string;
  readonly handshakes: readonly IncomingMessage[];
  /** Routes of requests, with their queries. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** The request of a client, and the socket for the answer. */
export type OnMessage = (
  socket: WebSocket,
  message: { readonly type: string; readonly channel: string },
) => void;

/** `reads`: answers of GET requests, by route, its query left out; a function that gives none means 503. */
export async function lossyGateway(
  onMessage: OnMessage,
  reads: Readonly<Record<string, unknown>> = {},
): Promise<LossyGateway> {
  const handshakes: IncomingMessage[] = [];
  const asked: string[] = [];
  const prefix = "/api/v1/trading";
  const server = createServer((request, response) => {
    const route = request.url?.slice(prefix.length) ?? "";
    asked.push(route);
    const found = reads[route.split("?")[0] ?? ""];
    const data: unknown = typeof found === "function" ? found() : found;
    response.statusCode = found === undefined ? 404 : data === undefined ? 503 : 200;
    response.end(JSON.stringify({ data }));
  });
  const sockets = new WebSocketServer({ server, path: `${prefix}/ws` });
  sockets.on("connection", (socket, request) => {
    handshakes.push(request);
    socket.on("message", (data: Buffer) =>
      onMessage(socket, JSON.parse(data.toString()) as Parameters<OnMessage>[1]),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    handshakes,
    asked,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
