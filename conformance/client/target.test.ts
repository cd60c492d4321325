import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { plainProfile } from "../parse/profile.ts";
import { Egress } from "./egress.ts";
import { Target } from "./target.ts";

afterEach(() => vi.restoreAllMocks());

/** Answers one request on each connection; a second request on it finds it closed. */
async function forgetful() {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.once("data", () => socket.resetAndDestroy());
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const made = plainProfile(`http://127.0.0.1:${port}/api/v1/trading`, "kid", "secret");
  if (typeof made === "string") throw new Error(made);
  const safety = { ...made.safety, budget: { ...made.safety.budget, concurrency: 2 } };
  const target = new Target(new Egress({ ...made, safety }), "kit-test");
  return {
    ask: async () => {
      const request = {
        method: "GET",
        path: "/order/open",
        headers: [],
        body: Buffer.alloc(0),
        role: "trader",
      };
      return (await target.send(request)).transport;
    },
    [Symbol.asyncDispose]: async () => {
      await target[Symbol.asyncDispose]();
      server.close();
    },
  };
}

it("takes a connection again at once, and a new one after a rest, also if this process was busy for long in between", async () => {
  await using gateway = await forgetful();
  expect(await gateway.ask()).toBe("response");
  expect(await gateway.ask()).toBe("reset");
  expect(await gateway.ask()).toBe("response");
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 2_001);
  expect(await gateway.ask()).toBe("response");
});

it("does not take a connection that rested while another was in use", async () => {
  await using gateway = await forgetful();
  expect(await Promise.all([gateway.ask(), gateway.ask()])).toEqual(["response", "response"]);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 1_500);
  expect(await gateway.ask()).toBe("reset");
  clock.mockImplementation(() => now() + 3_000);
  expect(await Promise.all([gateway.ask(), gateway.ask()])).toEqual(["response", "response"]);
});
