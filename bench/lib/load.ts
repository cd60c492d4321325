/**
 * A load generator on plain sockets. Requests are signed beforehand: signing costs as much as serving, and every order
 * can be used only once.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import net from "node:net";

export interface LoadKey {
  readonly keyId: string;
  readonly secret: string;
}

const path = "/api/v1/trading/order";

export function signedOrders(count: number, { keyId, secret }: LoadKey, seed: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const side = (index + seed) % 2 === 0 ? "BUY" : "SELL";
    const price = side === "BUY" ? 50_000 - ((index * 7919) % 4000) : 60_000 + ((index * 7919) % 4000);
    const body = JSON.stringify({
      side,
      type: "LIMIT",
      base_quantity: "0.001",
      price: String(price),
      client_order_id: randomUUID(),
      product: "BTC-USD",
    });
    const timestamp = String(Date.now());
    const nonce = randomUUID();
    const bodyHash = createHash("sha256").update(body).digest("hex");
    const canonical = [timestamp, nonce, "POST", path, "application/json", bodyHash].join("\n");
    const signature = createHmac("sha256", secret).update(canonical).digest("hex");
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-API-KEY: ${keyId}\r\n` +
        `X-API-TIMESTAMP: ${timestamp}\r\nX-API-NONCE: ${nonce}\r\nX-API-SIGNATURE: ${signature}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends all requests over keep-alive connections, one in flight on each; every answer must be a 200. */
export async function replay(
  port: number,
  requests: readonly Buffer[],
  connections: number,
): Promise<LoadResult> {
  const latencies: number[] = [];
  let next = 0;
  const start = process.hrtime.bigint();
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = net.connect(port, "127.0.0.1");
          let sentAt = 0n;
          let pending = "";
          const send = (): void => {
            const request = requests[next++];
            if (request === undefined) {
              socket.end();
              return resolve();
            }
            sentAt = process.hrtime.bigint();
            socket.write(request);
          };
          socket.setNoDelay(true);
          socket.on("connect", send);
          socket.on("error", reject);
          socket.on("data", (chunk) => {
            pending += chunk.toString("latin1");
            const head = pending.indexOf("\r\n\r\n");
            if (head < 0) return;
            const length = /content-length: (\d+)/i.exec(pending);
            if (length === null || pending.length < head + 4 + Number(length[1])) return;
            if (!pending.startsWith("HTTP/1.1 200")) return reject(new Error(pending.slice(0, 600)));
            latencies.push(Number(process.hrtime.bigint() - sentAt) / 1e6);
            pending = "";
            send();
          });
        }),
    ),
  );
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { perSecond: requests.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
