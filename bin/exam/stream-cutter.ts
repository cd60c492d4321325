/** An intermediary that cuts the first WebSocket after so many bytes, wherever in a message that is. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Relay } from "./relay.ts";

export async function startCutter(baseUrl: string, afterBytes: number): Promise<Relay> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const sockets = new Set<Socket>();
  let isDone = false;
  const server = createServer((client) => {
    const gateway = connect(Number(port), hostname);
    let isStream = false;
    let left = afterBytes;
    const end = (): void => void [client.destroy(), gateway.destroy()];
    for (const socket of [client, gateway]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (bytes) => {
      isStream ||= bytes.toString("latin1").startsWith(`GET ${pathname}/ws`);
      gateway.write(bytes);
    });
    gateway.on("data", (bytes) => {
      const isCut = isStream && !isDone && bytes.length >= left;
      left -= bytes.length;
      if (!isCut) return void client.write(bytes);
      isDone = true;
      client.end(bytes.subarray(0, left + bytes.length));
      gateway.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // as: a server that listens on TCP has such an address.
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${own}${pathname}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
