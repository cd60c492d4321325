/** A server's half of `child.ts`: it says where it listens, and its CPU time whenever it is asked. */
import type { Server } from "node:net";

export function ready(port: number): void {
  process.on("message", (asked) => {
    const { user, system } = process.cpuUsage();
    if (asked === "cpu") process.send?.(user + system);
    if (asked !== "memory") return;
    globalThis.gc?.();
    process.send?.(process.memoryUsage());
  });
  // Ends without its parent: a benchmark that fails leaves no server behind.
  process.once("disconnect", () => process.exit(0));
  process.send?.(port);
}

export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server listens on no port");
  return address.port;
}
