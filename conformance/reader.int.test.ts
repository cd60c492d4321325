import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { Reader } from "./reader.ts";

it.each([90_000, -3_600_000])("follows the clock of a target that is %i ms off", async (offset) => {
  const stamps: number[] = [];
  const isLate = (stamp: number): boolean => Math.abs(stamp - Date.now() - offset) > 30_000;
  const server = createServer((request, response) => {
    const stamp = Number(request.headers["x-api-timestamp"]);
    stamps.push(stamp);
    const date = new Date(Date.now() + offset).toUTCString();
    response.writeHead(isLate(stamp) ? 401 : 200, { date }).end("{}");
  });
  server.on("upgrade", (request, socket) => {
    stamps.push(Number(request.headers["x-api-timestamp"]));
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`;
  const reader = new Reader({ baseUrl, keyId: "kid", secret: "secret-of-kid", purpose: "test" });
  expect((await reader.get("/order/open")).status).toBe(200);
  expect((await reader.get("/order/open")).status).toBe(200);
  await reader.open("/ws");
  expect(stamps.map(isLate)).toEqual([true, false, false, false]);
  await reader[Symbol.asyncDispose]();
  server.close();
});
