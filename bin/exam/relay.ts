/** An intermediary between the client and the gateway, which plays a trick on the first order. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { buffer } from "node:stream/consumers";
import type { RelayTrick } from "./situation.ts";

export interface Relay {
  readonly baseUrl: string;
  close(): void;
}

/** A request that the client did not send itself. */
export const copyHeader = "x-exam-copy";

interface Relayed {
  readonly trick: RelayTrick;
  /** Ends when the others have done what belongs to the situation. */
  readonly meanwhile: Promise<unknown>;
}

export async function startRelay(baseUrl: string, { trick, meanwhile }: Relayed): Promise<Relay> {
  const gateway = new URL(baseUrl);
  let hadOrder = false;
  const server = createServer((asked, reply) => {
    const isOrder = asked.method === "POST" && asked.url === `${gateway.pathname}/order`;
    const played = isOrder && !hadOrder ? trick : undefined;
    const turn = trick === "wait" && hadOrder ? meanwhile : undefined;
    if (isOrder) hadOrder = true;
    relayed(gateway, asked, turn)
      .then(async (answer) => {
        if (played === "wait") await meanwhile;
        send(reply, played === "repeat" ? await answer.repeated() : answer, played);
      })
      .catch(() => reply.destroy());
  });
  return {
    baseUrl: `http://127.0.0.1:${await portOf(server)}${gateway.pathname}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Of a server that listens from now on, on this machine alone. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // as: a server that listens on TCP has such an address.
  return (server.address() as AddressInfo).port;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** The answer of the gateway, and that to the same request once more. The request is passed on after `turn`. */
async function relayed(gateway: URL, asked: IncomingMessage, turn: Promise<unknown> | undefined) {
  const body = await buffer(asked);
  await turn;
  const answer = await forward(gateway, asked, body);
  const { "x-request-id": _own, ...headers } = asked.headers;
  const again = { method: asked.method, url: asked.url, headers: { ...headers, [copyHeader]: "1" } };
  return { ...answer, repeated: () => forward(gateway, again, body) };
}

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

function forward(gateway: URL, { method, url, headers }: Asked, body: Buffer): Promise<Answer> {
  const { hostname, port } = gateway;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: url, headers }, (answer) => {
      buffer(answer).then(
        (text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
        reject,
      );
    });
    sent.on("error", reject).end(body);
  });
}

const hidden = JSON.stringify({
  statusCode: 503,
  success: false,
  message: "No answer from the exchange in time. Whether the order was taken is unknown",
});

function send(reply: ServerResponse, { status, headers, body }: Answer, trick: RelayTrick | undefined): void {
  switch (trick) {
    case "hide":
      reply.writeHead(503, { "content-type": "application/json" }).end(hidden);
      return;
    case "repeat":
    case "wait":
    case undefined:
      reply.writeHead(status, headers).end(body);
  }
}
