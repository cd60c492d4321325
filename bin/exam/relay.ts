/** An intermediary between the client and the gateway, which plays a trick on the first order. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { RelayTrick } from "./situation.ts";

export interface Relay {
  readonly baseUrl: string;
  close(): void;
}

/** A request that the client did not send itself. */
export const copyHeader = "x-exam-copy";

export async function startRelay(baseUrl: string, trick: RelayTrick): Promise<Relay> {
  const gateway = new URL(baseUrl);
  let isDone = false;
  const server = createServer((asked, reply) => {
    const isOrder = asked.method === "POST" && asked.url === `${gateway.pathname}/order`;
    const played = isOrder && !isDone ? trick : undefined;
    if (isOrder) isDone = true;
    relayed(gateway, asked, played)
      .then((answer) => send(reply, answer, played))
      .catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // as: a server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${gateway.pathname}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

async function relayed(gateway: URL, asked: IncomingMessage, trick: RelayTrick | undefined): Promise<Answer> {
  const body = await buffer(asked);
  const answer = await forward(gateway, asked, body);
  if (trick !== "repeat") return answer;
  const { "x-request-id": _own, ...headers } = asked.headers;
  return forward(
    gateway,
    { method: asked.method, url: asked.url, headers: { ...headers, [copyHeader]: "1" } },
    body,
  );
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
    case undefined:
      reply.writeHead(status, headers).end(body);
  }
}
