/** Slow, broken, pipelined and abandoned connections. */
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { refused, success } from "./route.ts";
import { converse, eventually, place, type RawConversation, requestText, send } from "./testing/client.ts";
import {
  apiPrefix,
  slow,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "./testing/server.ts";

let server: TestServer;
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  server = await startTestServer(options);
  return server;
};
afterEach(() => server.close());

const order = (body = "{}", headers = {}): string =>
  requestText(server, { method: "POST", path: `${apiPrefix}/order`, body, headers });

describe("requests that take too long", () => {
  const impatient = { headersTimeoutMs: 300, requestTimeoutMs: 600, checkIntervalMs: 50 };

  test("headers that trickle in are answered 408 and closed, and others are served meanwhile", async () => {
    await start({ listener: { settings: impatient } });
    const slow = Array.from({ length: 50 }, () =>
      converse(server.port, `GET ${apiPrefix}/order/open HTTP/1.1\r\nHost: a`),
    );
    expect((await send(server)).status).toBe(200);
    await Promise.all(slow.map(({ closed }) => closed));
    for (const { text } of slow) expect(text()).toMatch(/ 408 .*"code":"REQUEST_TIMEOUT"/s);
  });

  test("a body that trickles in is answered 408 and closed, without a call", async () => {
    await start({ listener: { settings: impatient } });
    const slow = converse(server.port, order('{"a":1}').slice(0, -3));
    await slow.closed;
    expect(slow.statuses()).toEqual([408]);
    expect(server.calls).toEqual([]);
  });

  test("a connection that says nothing is closed", async () => {
    await start({ listener: { settings: { ...impatient, keepAliveTimeoutMs: 200 } } });
    await converse(server.port).closed;
    const idle = converse(server.port, requestText(server));
    await idle.closed;
    expect(idle.statuses()).toEqual([200]);
  });
});

describe("the order of answers on one connection", () => {
  test("an order followed by garbage is answered before the garbage", async () => {
    await start();
    server.submit = slow(server.submit, 50);
    server.place = () => success({ done: true });
    const talk = converse(server.port, `${order()}GARBAGE\r\n\r\n`);
    await talk.closed;
    expect(talk.statuses()).toEqual([200, 400]);
    expect(talk.text()).toContain('{"done":true}');
    expect(server.committed).toHaveLength(1);
  });

  test("an order, then a broken body of the next: both answers come, in order", async () => {
    await start();
    const broken = order("x", { "Transfer-Encoding": "chunked", "Content-Length": undefined });
    const talk = converse(server.port, order() + broken.replace(/x$/, "zz\r\n"));
    await talk.closed;
    expect(talk.statuses()).toEqual([200, 400]);
    expect(server.calls).toHaveLength(1);
  });

  test("a thousand pipelined requests are answered in order", async () => {
    await start({ listener: { settings: { maxRequestsPerSocket: 2000 } } });
    const bodies = Array.from({ length: 1000 }, (_, index) => order(`{"n":${index}}`));
    const talk = converse(server.port, bodies.join(""));
    await talk.until(/"n":999}/);
    const numbers = [...talk.text().matchAll(/"n":([0-9]+)/g)].map((match) => Number(match[1]));
    expect(numbers).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    talk.socket.destroy();
  });

  test("requests after an answer that closes the connection are not executed", async () => {
    await start();
    const refused = requestText(server, { target: `${apiPrefix}/%6Frder/open` });
    const talk = converse(server.port, refused + order());
    await talk.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(talk.statuses()).toEqual([400]);
    expect(server.calls).toEqual([]);
    expect(server.committed).toEqual([]);
  });

  test("every executed order of a connection that ends in a refusal has its answer", async () => {
    await start();
    const talk = converse(
      server.port,
      order() + order() + requestText(server, { target: "/a//b" }) + order(),
    );
    await talk.closed;
    expect(talk.statuses()).toEqual([200, 200, 400]);
    expect(server.calls).toHaveLength(2);
  });

  test("after the last request that a connection may carry, it is closed", async () => {
    await start({ listener: { settings: { maxRequestsPerSocket: 2, keepAliveTimeoutMs: 100 } } });
    const talk = converse(server.port, order());
    await talk.until(/200 OK/);
    talk.socket.write(order());
    await talk.closed;
    expect(talk.statuses()).toEqual([200, 200]);
  });
});

describe("a pipeline", () => {
  test("is served a few requests at a time, in order", async () => {
    await start({ listener: { settings: { maxOutstandingAnswers: 3 } } });
    let running = 0;
    let most = 0;
    const commit = slow(server.submit, 2);
    server.submit = async (command, nonce) => {
      most = Math.max(most, ++running);
      const outcome = await commit(command, nonce);
      running--;
      return outcome;
    };
    const talk = converse(server.port, Array.from({ length: 50 }, () => order()).join(""));
    await eventually(() => talk.statuses().length === 50);
    expect([most, server.calls.length]).toEqual([3, 50]);
    talk.socket.destroy();
  });

  test("that ends in a refusal has all its answers before it", async () => {
    await start({ listener: { settings: { maxOutstandingAnswers: 3 } } });
    for (const end of [requestText(server, { target: "/a//b" }), "GARBAGE\r\n\r\n"]) {
      const talk = converse(
        server.port,
        `${Array.from({ length: 20 }, () => order()).join("")}${end}${order()}`,
      );
      await talk.closed;
      expect(talk.statuses()).toEqual([...Array.from({ length: 20 }, () => 200), 400]);
    }
    expect(server.calls).toHaveLength(40);
  });

  test("with a refusal in the middle is not executed behind it", async () => {
    await start({ listener: { settings: { maxOutstandingAnswers: 3 } } });
    const orders = Array.from({ length: 10 }, () => order()).join("");
    const talk = converse(server.port, orders + requestText(server, { target: "/%zz" }) + orders);
    await talk.closed;
    expect(talk.statuses()).toEqual([...Array.from({ length: 10 }, () => 200), 400]);
    expect(server.calls).toHaveLength(10);
  });

  test("of a client that has gone is not executed to its end", async () => {
    await start({ listener: { settings: { maxOutstandingAnswers: 3 } } });
    server.submit = slow(server.submit, 20);
    server.place = () => success({});
    const talk = converse(server.port, Array.from({ length: 50 }, () => order()).join(""));
    await eventually(() => server.calls.length > 0);
    talk.socket.resetAndDestroy();
    await eventually(() => server.listener.connections.size === 0);
    const executed = server.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(server.calls).toHaveLength(executed);
    expect(executed).toBeLessThan(50);
  });
});

describe("a client that does not read", () => {
  const impatient = { answerTimeoutMs: 150, checkIntervalMs: 50 };
  const largeText = "x".repeat(4_000_000);

  test.each<[string, number]>([
    ["one answer", 3],
    ["a pipeline of answers", 30],
  ])("loses its connection: %s", async (_name, count) => {
    await start({ listener: { settings: impatient } });
    server.place = () => success(largeText);
    const talk = converse(server.port);
    talk.socket.pause();
    talk.socket.write(Array.from({ length: count }, () => order()).join(""));
    await eventually(() => server.calls.length > 0);
    await eventually(() => server.listener.connections.size === 0);
    expect((await send(server)).status).toBe(200);
    talk.socket.destroy();
  });

  test("may be slow, and may wait for an answer that takes long", async () => {
    // Patient enough for a machine under load, where a pause of this client takes longer than it says.
    await start({ listener: { settings: { ...impatient, answerTimeoutMs: 1500 } } });
    server.submit = slow(server.submit, 1800);
    server.place = () => success(largeText.repeat(3));
    const talk = converse(server.port, order());
    let isClosed = false;
    void talk.closed.then(() => (isClosed = true));
    talk.socket.pause();
    while (!isClosed && (!talk.text().endsWith('"}') || talk.text().length < 12_000_000)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      talk.socket.resume();
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (talk.text().length < 12_000_000) talk.socket.pause();
    }
    expect([talk.statuses(), talk.text().length > 12_000_000]).toEqual([[200], true]);
    talk.socket.destroy();
  });
});

describe("a client that says it has nothing more to say", () => {
  test.each([1, 20])("gets all its answers: %i requests", async (count) => {
    await start();
    server.submit = slow(server.submit, 20);
    server.place = () => success({});
    const talk = converse(server.port, "", true);
    talk.socket.end(Array.from({ length: count }, () => order()).join(""));
    await talk.closed;
    expect(talk.statuses()).toEqual(Array.from({ length: count }, () => 200));
    await eventually(() => server.listener.connections.size === 0);
  });

  test("in the middle of a request is told that it is not one", async () => {
    await start();
    const talk = converse(server.port, "", true);
    talk.socket.end(order('{"a":1}').slice(0, -3));
    await talk.closed;
    expect(talk.statuses()).toEqual([400]);
    expect(server.calls).toEqual([]);
  });

  test("and nothing before it is let go", async () => {
    await start();
    converse(server.port, "", true).socket.end();
    await eventually(() => server.listener.connections.size === 0);
  });
});

describe("a body that is not read", () => {
  const large = (): string =>
    requestText(server, {
      method: "POST",
      path: `${apiPrefix}/order`,
      headers: { "Content-Length": "90000", "X-API-KEY": undefined },
    });

  test("of a request without credentials is not read, and the answer arrives all the same", async () => {
    await start();
    const reads: number[] = [];
    server.listener.app.server.once("connection", (socket) => {
      socket.once("close", () => reads.push(socket.bytesRead));
    });
    const talk = converse(server.port, large());
    talk.socket.write("a".repeat(40_000));
    await talk.until(/"code":"MISSING_CREDENTIALS"/);
    await eventually(() => reads.length === 1);
    expect(talk.statuses()).toEqual([401]);
    expect(reads[0]).toBeLessThan(80_000);
  });

  test("may still arrive for a moment: a reset must not overtake the answer", async () => {
    await start();
    const talk = converse(server.port, large(), true);
    const errors: string[] = [];
    talk.socket.on("error", (error) => errors.push(String(error)));
    await talk.until(/"code":"MISSING_CREDENTIALS".*}$/s);
    for (let count = 0; count < 5; count += 1) {
      talk.socket.write("a".repeat(1000));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(errors).toEqual([]);
    await eventually(() => server.listener.connections.size === 0);
    talk.socket.destroy();
  });

  test("is not asked for: 100 Continue follows the first phase of authentication", async () => {
    await start();
    const refused = converse(server.port, large().replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
    await refused.closed;
    expect(refused.statuses()).toEqual([401]);
    const head = order("{}", { Expect: "100-continue" }).slice(0, -2);
    const talk = converse(server.port, head);
    await talk.until(/HTTP\/1\.1 100 Continue\r\n\r\n/);
    talk.socket.write("{}");
    await talk.until(/HTTP\/1\.1 200 OK/);
    talk.socket.destroy();
    expect(talk.statuses()).toEqual([100, 200]);
  });

  test("of a route that does not exist is not read", async () => {
    await start();
    const talk = converse(
      server.port,
      "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n",
    );
    await talk.closed;
    expect(talk.statuses()).toEqual([404]);
    expect(talk.text().toLowerCase()).toContain("connection: close");
  });
});

describe("a client that goes away", () => {
  test("in the middle of a body leaves no trace", async () => {
    await start();
    const talk = converse(server.port, order('{"a":1}').slice(0, -3));
    await new Promise((resolve) => setTimeout(resolve, 50));
    talk.socket.destroy();
    await talk.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.calls).toEqual([]);
    expect((await send(server)).status).toBe(200);
  });

  test("before its answer does not undo the request", async () => {
    await start();
    const commit = server.submit;
    let isHere = false;
    let isGone = false;
    server.submit = async (...command) => {
      isHere = true;
      await eventually(() => isGone);
      return commit(...command);
    };
    server.place = () => success({});
    const talk = converse(server.port, order());
    await eventually(() => isHere);
    talk.socket.destroy();
    await talk.closed;
    isGone = true;
    await eventually(() => server.committed.length > 0);
    expect(server.committed).toHaveLength(1);
  });
});

test("a promised loss of the answer closes the socket after the commit", async () => {
  await start();
  server.place = () => refused({ code: "INTERNAL_ERROR", message: "Lost.", drop: "close" });
  await expect(place(server, "{}")).rejects.toThrow();
  expect(server.committed).toHaveLength(1);
});

test("of a pipeline that is longer than a connection may be, the rest is neither executed nor answered", async () => {
  await start({ listener: { settings: { maxRequestsPerSocket: 5 } } });
  const texts = Array.from({ length: 12 }, () => order());
  const talk = converse(server.port, texts.join(""));
  await talk.closed;
  expect(talk.statuses()).toEqual([200, 200, 200, 200, 200]);
  expect(talk.text().match(/connection: close/gi)).toHaveLength(1);
  expect(talk.text().slice(talk.text().lastIndexOf("HTTP/1.1"))).toMatch(/connection: close/i);
  expect(server.calls).toHaveLength(5);
});

describe("when all places are taken", () => {
  const most = 20;
  const connected = (): number => server.listener.connections.size;
  const fill = async (count: number, bytes: () => string): Promise<RawConversation[]> => {
    const talks = Array.from({ length: count }, () => converse(server.port, bytes()));
    await Promise.all(talks.map(({ socket }) => once(socket, "connect")));
    return talks;
  };

  test("a newcomer gets that of the oldest stranger, and a client that has signed keeps its own", async () => {
    await start({ listener: { settings: { maxConnections: most } } });
    const client = converse(server.port, requestText(server));
    await client.until(/ 200 /);
    for (let round = 0; round < 5; round += 1) {
      await fill(most, () => (round % 2 === 0 ? "" : "GET /half HTTP/1.1\r\nHost: a"));
      expect((await send(server)).status).toBe(200);
    }
    expect(connected()).toBeLessThanOrEqual(most);
    client.socket.write(requestText(server));
    await eventually(() => client.statuses().length === 2);
    expect(client.statuses()).toEqual([200, 200]);
    client.socket.destroy();
  });

  test("a newcomer gets that of the client that has been idle longest", async () => {
    await start({ listener: { settings: { maxConnections: most } } });
    const first = converse(server.port, requestText(server));
    await first.until(/ 200 /);
    for (const talk of await fill(most - 1, () => requestText(server))) await talk.until(/ 200 /);
    expect((await send(server)).status).toBe(200);
    await first.closed;
  });

  test("requests in progress are not given up", async () => {
    await start({ listener: { settings: { maxConnections: most } } });
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    const submit = server.submit;
    server.submit = async (command, nonce) => {
      await wait;
      return submit(command, nonce);
    };
    const busy = await fill(most, () => order());
    await eventually(() => server.calls.length === most);
    await converse(server.port, order()).closed;
    go();
    for (const talk of busy) await talk.until(/ 200 /);
    for (const { socket } of busy) socket.destroy();
  });
});
