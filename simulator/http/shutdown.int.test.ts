/** Connections when the server closes. */
import { afterEach, describe, expect, test } from "vitest";
import { success } from "./route.ts";
import { converse, eventually, requestText } from "./testing/client.ts";
import { apiPrefix, startTestServer, type TestServer, type TestServerOptions } from "./testing/server.ts";

let server: TestServer;
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  server = await startTestServer(options);
  return server;
};
afterEach(() => server.close());

const order = (): string => requestText(server, { method: "POST", path: `${apiPrefix}/order`, body: "{}" });

describe("closing the server", () => {
  test("closes idle connections at once and answers requests in progress", async () => {
    await start();
    let finish: () => void = () => {};
    const commit = server.submit;
    server.submit = async (command, nonce) => {
      if (nonce !== null && server.calls.at(-1)?.route === "place")
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      return commit(command, nonce);
    };
    server.place = () => success({ done: true });
    const idle = converse(server.port, requestText(server));
    await idle.until(/200 OK/);
    const silent = converse(server.port);
    const busy = converse(server.port, order());
    while (server.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    const closing = server.close();
    await Promise.all([idle.closed, silent.closed]);
    expect(busy.text()).toBe("");
    finish();
    await Promise.all([busy.closed, closing]);
    expect(busy.text()).toMatch(/200 OK.*connection: close.*"done":true/is);
  });

  test("does not execute later requests on a busy connection", async () => {
    await start();
    let finish: () => void = () => {};
    const commit = server.submit;
    server.submit = async (command, nonce) => {
      if (nonce !== null && server.calls.at(-1)?.route === "place")
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      return commit(command, nonce);
    };
    server.place = () => success({ done: true });
    const busy = converse(server.port, order());
    while (server.calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 2));
    const closing = server.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    busy.socket.write(order());
    await new Promise((resolve) => setTimeout(resolve, 20));
    finish();
    await Promise.all([busy.closed, closing]);
    expect(server.calls).toHaveLength(1);
    expect(busy.statuses()[0]).toBe(200);
  });

  test("gives up on requests that do not finish", async () => {
    await start({ listener: { settings: { shutdownGraceMs: 100 } } });
    server.submit = () => new Promise(() => {});
    const stuck = converse(server.port, order());
    while (server.calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 2));
    await server.close();
    await stuck.closed;
    expect(stuck.text()).toBe("");
  });

  test("is not held up by clients that keep their connections", async () => {
    await start();
    const clients = Array.from({ length: 20 }, () => converse(server.port, requestText(server)));
    await Promise.all(clients.map(({ until }) => until(/200 OK/)));
    await server.close();
    await Promise.all(clients.map(({ closed }) => closed));
    await eventually(() => server.listener.connections.size === 0);
  });
});
