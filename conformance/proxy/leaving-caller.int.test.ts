/** Callers that leave, that stop reading, and that wait long cost nobody else anything: in both proxies. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { startRecordingProxy } from "./recording-proxy.ts";
import { startSigningProxy } from "./signing-proxy.ts";

const proxies = {
  sign: (target: string, options = {}) =>
    startSigningProxy({ target, keyId: "kid_trader", secret: "trader-secret-for-tests-only", ...options }),
  record: (target: string, options = {}) =>
    startRecordingProxy({
      target,
      file: path.join(folder, "a.recording"),
      notice: () => undefined,
      ...options,
    }),
};

let folder = "";
/** Answers that have begun and not ended, at the gateway. */
let open = 0;
let release = (): void => undefined;
const closers: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "leaving-"));
  open = 0;
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

/** `/large` never ends by itself, `/late` ends with the next call of `release`, others end at once. */
async function gateway(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith("/late") === true) release = () => void response.end("late");
    else if (request.url?.endsWith("/large") === true) {
      open += 1;
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more).on("close", () => (open -= 1));
      more();
    } else response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

async function proxyOf(kind: keyof typeof proxies, options = {}): Promise<URL> {
  const proxy = await proxies[kind](await gateway(), options);
  closers.push(proxy.close);
  return new URL(proxy.url);
}

const ask = (url: URL, last: string): Promise<string> =>
  fetch(`${url.href}/${last}`, { signal: AbortSignal.timeout(20_000) }).then((reply) => reply.text());

const asks = (url: URL, last: string) => {
  const socket = connect(Number(url.port), "127.0.0.1").on("error", () => undefined);
  socket.write(`GET ${url.pathname}/${last} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  return socket;
};

/** Once the first bytes of an answer have come; no more are read. */
const begun = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once("data", () => resolve(void socket.pause())));

describe.each(["sign", "record"] as const)("the proxy of `%s`", (kind) => {
  it("goes on when many callers leave: at once, and within an answer", async () => {
    const url = await proxyOf(kind);
    const rounds = triesAll ? 10 : 1;
    for (let round = 0; round < rounds; round += 1) {
      const callers = Array.from({ length: 30 }, () => asks(url, "large"));
      await Promise.all(callers.map(async (socket, at) => (at % 2 === 0 ? socket.destroy() : begun(socket))));
      for (const socket of callers) socket.destroy();
    }
    expect(await ask(url, "order")).toBe("ok");
    await expect.poll(() => open).toBe(0);
  });

  it("gives up a caller that does not read", async () => {
    const url = await proxyOf(kind, { mostUnreadMs: 50 });
    const socket = asks(url, "large").pause();
    await expect.poll(() => open).toBe(1);
    await expect.poll(() => open).toBe(0);
    socket.destroy();
  });

  it("answers others while one waits", async () => {
    const url = await proxyOf(kind);
    const late = ask(url, "late");
    expect(await ask(url, "order")).toBe("ok");
    release();
    expect(await late).toBe("late");
  });
});
