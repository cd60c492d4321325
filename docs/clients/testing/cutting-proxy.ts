/**
 * A TCP proxy that treats WebSockets as bad networks do: it cuts them in the middle of a message, or stops
 * delivering without a word. Other connections pass.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  readonly baseUrl: string;
  /** How many WebSockets have met their end here. */
  readonly cuts: () => number;
  close(): Promise<void>;
}

/** The fault of a WebSocket after so many bytes from the venue. */
export interface Trouble {
  readonly after: number;
  readonly kind: "cut" | "stall";
}

/** The first WebSockets meet these troubles, one each; later ones none. */
export async function cuttingProxy(baseUrl: string, troubles: readonly Trouble[]): Promise<CuttingProxy> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const left = [...troubles];
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const venue = connect(Number(port), hostname);
    for (const socket of [client, venue]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    }
    const hangUp = (): void => void [client.destroy(), venue.destroy()];
    client.on("close", hangUp);
    venue.on("close", hangUp);
    let trouble: Trouble | undefined;
    let delivered = 0;
    let met = false;
    client.once("data", (head: Buffer) => {
      if (/^upgrade: websocket/im.test(head.toString("latin1"))) trouble = left.shift();
      venue.write(head);
      client.pipe(venue);
    });
    venue.on("data", (bytes: Buffer) => {
      if (met) return;
      client.write(bytes.subarray(0, trouble === undefined ? undefined : trouble.after - delivered));
      delivered += bytes.length;
      if (trouble === undefined || delivered < trouble.after) return;
      met = true;
      cuts += 1;
      if (trouble.kind === "cut") client.end(hangUp);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${own}${pathname}`,
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
