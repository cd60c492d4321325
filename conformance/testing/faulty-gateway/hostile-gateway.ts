import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/**
 * The faulty gateway at its worst: it means harm, byte by byte. It never checks a signature. What a behaviour does not
 * speak of is answered well, so that a run gets as far as what it does.
 */
export interface Behaviour {
  readonly name: string;
  /** `all`: every answer but the first two, so that a run begins. */
  readonly on: "reads" | "orders" | "all";
  readonly answer: (socket: Socket, request: string) => void;
}

export interface StreamBehaviour {
  readonly name: string;
  /** `key` is what the client asked to be hashed. */
  readonly upgrade: (socket: Socket, key: string) => void;
}

export interface HostileGateway {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly requests: () => number;
  /** Upgraded connections that are still open, once the kit has had a turn to end them. */
  readonly connections: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export const good = '{"statusCode":200,"success":true,"data":[]}';
export const order = '{"statusCode":200,"success":true,"data":{"type":"NEW_ORDER","order":{"id":"1"}}}';

export function reply(body: string | Buffer, headers: readonly string[] = [], status = "200 OK"): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json",
    ...(headers.some((header) => /^(?:content-length|transfer-encoding)/i.test(header))
      ? []
      : [`Content-Length: ${bytes.length}`]),
    "Connection: close",
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}

/** Writes the beginning, and then the same part again and again until the client hangs up. */
export function repeatedly(
  socket: Socket,
  head: string | Buffer,
  part: string | Buffer,
  pauseMs: number,
): void {
  socket.write(head);
  const timer = setInterval(() => {
    if (socket.writableLength < 1_000_000) socket.write(part);
  }, pauseMs);
  socket.on("close", () => clearInterval(timer));
}

export async function startHostileGateway({
  on,
  answer,
  upgrade,
}: Partial<Omit<Behaviour, "name"> & Omit<StreamBehaviour, "name">>): Promise<HostileGateway> {
  const sockets = new Set<Socket>();
  const upgraded = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      upgraded.delete(socket);
    });
    // The kit hangs up on most of what is said here.
    socket.on("error", () => undefined);
    let request = "";
    const read = (bytes: Buffer): void => {
      request += bytes.toString("latin1");
      if (!isWhole(request)) return;
      socket.off("data", read).resume();
      requests += 1;
      const key = /^sec-websocket-key: *(\S+)/im.exec(request)?.[1];
      const isRead = /^(?:GET|DELETE)/.test(request);
      if (key !== undefined && upgrade !== undefined) {
        upgraded.add(socket);
        upgrade(socket, key);
      } else if (on === "all" ? requests > 2 : isRead === (on === "reads") && on !== undefined)
        answer?.(socket, request);
      else socket.end(reply(isRead ? good : order));
    };
    socket.on("data", read);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`;
  return {
    baseUrl: `http://${place}`,
    wsUrl: `ws://${place}/ws`,
    requests: () => requests,
    connections: async () => {
      await Promise.all([...upgraded].map((socket) => once(socket, "close")));
      return upgraded.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
  return end !== -1 && text.length >= end + 4 + length;
}
