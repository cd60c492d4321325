import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../index.ts";
import { Client, type Options, type Prepared, type Reply } from "../testing/client.ts";
import { limitBuy } from "../testing/venue.ts";
import { mapBody } from "../variations/json.ts";

const running: Simulator[] = [];
afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.close();
});

async function start(...defects: readonly string[]): Promise<Simulator> {
  const simulator = await startSimulator({ defects });
  running.push(simulator);
  return simulator;
}

function trader(simulator: Simulator): Client {
  const key = simulator.keys.find(({ name }) => name === "trader");
  if (key === undefined) throw new Error("the demo world has no trader");
  return new Client(simulator.baseUrl, key);
}

const open = (simulator: Simulator, options: Options = {}): Promise<Reply> =>
  trader(simulator).get("/order/open", options);
/** Sends a whole request and closes, without waiting for the answer. Resolves when the venue has closed as well. */
async function hangUpAfter({ baseUrl }: Simulator, request: Prepared): Promise<void> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.end(
    `${request.method} ${request.target} HTTP/1.1\r\nHost: ${host}\r\n${headers.join("")}\r\n${String(request.body)}`,
  );
  socket.resume();
  await once(socket, "close");
}

const wrong: Options = { headers: { "X-API-SIGNATURE": "0".repeat(64) } };

describe("a venue that is started with a defect", () => {
  test("has it, and is otherwise what it was", async () => {
    const honest = await start();
    const broken = await start("M-001");
    expect((await open(honest, wrong)).status).toBe(401);
    expect((await open(broken, wrong)).status).toBe(200);
    expect((await open(broken, { headers: { "X-API-KEY": "nobody" } })).status).toBe(401);
  });

  test("refuses what is right when the defect is about that", async () => {
    const broken = await start("M-003");
    expect((await open(broken)).code).toBe("INVALID_SIGNATURE");
    expect((await open(broken, { sign: { path: "/order/open" } })).status).toBe(200);
  });

  test("can have several", async () => {
    const broken = await start("M-001", "M-029");
    const repeated = { sign: { nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10" } };
    expect((await open(broken, repeated)).status).toBe(200);
    expect((await open(broken, repeated)).status).toBe(200);
    expect((await open(broken, wrong)).status).toBe(200);
  });

  test("can drop the body of a read before it is checked", async () => {
    const slipped: Options = { sentBody: "{}" };
    expect((await open(await start(), slipped)).code).toBe("UNEXPECTED_BODY");
    expect((await open(await start("M-011"), slipped)).status).toBe(200);
  });

  test("can make a second order for a client that hung up before the answer", async () => {
    const broken = await start("M-058");
    const read = limitBuy();
    expect((await trader(broken).place(read)).data["type"]).toBe("NEW_ORDER");
    expect((await trader(broken).place(read)).data["type"]).toBe("DUPLICATE_REPLAY");
    const unread = limitBuy();
    await hangUpAfter(broken, trader(broken).prepare("POST", "/order", { body: unread }));
    expect((await trader(broken).place(unread)).data["type"]).toBe("NEW_ORDER");
    expect((await trader(broken).place(unread)).data["type"]).toBe("DUPLICATE_REPLAY");
    const ids = (await open(broken)).list.map((order) => order["clientOrderId"]);
    expect(ids.filter((id) => id === unread["client_order_id"])).toHaveLength(2);
  });

  test("can confirm a cancel that never happens", async () => {
    const client = trader(await start("M-190"));
    const order = (await client.place(limitBuy())).data["order"] as { readonly id: string };
    expect((await client.delete(`/order/${order.id}`)).data["status"]).toBe("CANCELLED");
    expect((await client.get("/order/open")).list.map(({ id }) => id)).toContain(order.id);
  });

  test("can free the id of a failed order for one order and no more", async () => {
    const client = trader(await start("V-39"));
    const order = { ...limitBuy(), client_order_id: "00000e01-1c44-4f0b-8c5e-2f7f5c0f9a10" };
    const outcomes = [await client.place(order), await client.place(order), await client.place(order)];
    expect(outcomes.map(({ data }) => data["type"])).toEqual([
      "EXTERNAL_EXECUTION_FAILED",
      "NEW_ORDER",
      "DUPLICATE_REPLAY",
    ]);
  });

  test("keeps what one of them adds when another rewrites the answer", async () => {
    const { headers } = await fetch(`${(await start("V-19", "V-54")).baseUrl}/order/open`);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(Date.parse(headers.get("date") ?? "") - Date.now()).toBeGreaterThan(120_000);
  });

  test("leaves plain text alone, which another may have made of an answer", () => {
    const text = 'error: client_order_id is required; the body has "clientOrderId" instead';
    expect(mapBody(text, () => ({}))).toBe(text);
    expect(mapBody('{"a":1}', () => ({ b: 2 }))).toBe('{"b":2}');
  });

  test("is named in every health answer", async () => {
    const broken = await start("M-001", "M-029");
    const healths = [
      `${broken.baseUrl}/health/live`,
      `${broken.baseUrl}/health/ready`,
      `${broken.control?.url}/health`,
    ];
    for (const url of healths) {
      const { data } = (await (await fetch(url)).json()) as { data: { defects?: unknown } };
      expect(data.defects, url).toEqual(["M-001", "M-029"]);
    }
    const { data } = (await (await fetch(`${(await start()).baseUrl}/health/live`)).json()) as {
      data: object;
    };
    expect(data).not.toHaveProperty("defects");
  });

  test("is not started for others than this machine, nor with a defect that does not exist", async () => {
    await expect(startSimulator({ defects: ["M-001"], host: "0.0.0.0" })).rejects.toThrow(
      /this machine only/,
    );
    await expect(start("m-001")).rejects.toThrow(
      "There is no defect or variation m-001. Did you mean M-001?",
    );
  });
});
