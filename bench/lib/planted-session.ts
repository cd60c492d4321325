/**
 * A session of a client with a venue that has one bug, recorded as `gatewright record` does. Orders are placed, repeated,
 * read, listed and cancelled by a seeded draw; the requests that meet the bug are far apart in it, and happen once.
 */
import { createHash, randomUUID } from "node:crypto";
import { signRequest, startRecordingProxy } from "../../conformance/commands.ts";
import { startSimulator } from "../../simulator/index.ts";

/** An id is free again once its order is over: a repeat then makes a second order. */
export const plantedBug = { defect: "M-051", clause: "PLC-10" } as const;

export interface Session {
  readonly file: string;
  /** Whether the venue has the bug, or is as it should be. */
  readonly isBuggy: boolean;
  /** Requests. */
  readonly events: number;
  readonly seed: number;
}

interface Placed {
  readonly id: string;
  readonly body: string;
}

export async function recordPlantedSession({ file, isBuggy, events, seed }: Session): Promise<void> {
  await using simulator = await startSimulator({
    defects: isBuggy ? [plantedBug.defect] : [],
    exchanges: false,
  });
  const { keys } = simulator;
  const proxy = await startRecordingProxy({ target: simulator.baseUrl, file, keys, notice: () => undefined });
  const key = keys.find(({ name }) => name === "trader") ?? { keyId: "", secret: "" };
  try {
    await new Client(proxy.url, key, seed).trade(events);
  } finally {
    await proxy.close();
  }
}

class Client {
  readonly #baseUrl: string;
  readonly #key: { readonly keyId: string; readonly secret: string };
  readonly #seed: number;
  readonly #open: Placed[] = [];
  #drawn = 0;

  constructor(baseUrl: string, key: { readonly keyId: string; readonly secret: string }, seed: number) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#seed = seed;
  }

  /** The bug is met at seven tenths, with an order of three tenths that was cancelled at the half. */
  async trade(events: number): Promise<void> {
    let victim: Placed | undefined;
    for (let event = 0; event < events; event += 1) {
      if (event === Math.floor(events * 0.3)) victim = await this.#place();
      else if (victim !== undefined && event === Math.floor(events * 0.5)) await this.#cancel(victim.id);
      else if (victim !== undefined && event === Math.floor(events * 0.7))
        await this.#send("POST", "/order", victim.body);
      else await this.#act();
    }
  }

  async #act(): Promise<void> {
    const one = this.#open[this.#draw(this.#open.length)];
    const kind = this.#draw(10);
    if (one === undefined || (kind < 3 && this.#open.length < 20)) this.#open.push(await this.#place());
    else if (kind < 5) await this.#send("GET", `/order/${one.id}`);
    else if (kind < 6) await this.#send("POST", "/order", one.body);
    else if (kind < 7) await this.#send("GET", "/order/open");
    else if (kind < 8) await this.#send("GET", "/wallet");
    else {
      this.#open.splice(this.#open.indexOf(one), 1);
      await this.#cancel(one.id);
    }
  }

  async #place(): Promise<Placed> {
    const body = JSON.stringify({
      client_order_id: randomUUID(),
      product: this.#draw(2) === 0 ? "BTC-USD" : "ETH-USD",
      side: "BUY",
      type: "LIMIT",
      base_quantity: `0.00${1 + this.#draw(9)}`,
      price: `${1000 + this.#draw(500)}`,
    });
    // as: the simulator's answer to a valid order.
    const { data } = (await this.#send("POST", "/order", body)) as {
      readonly data: { readonly order: { readonly id: string } };
    };
    return { id: data.order.id, body };
  }

  #cancel(id: string): Promise<unknown> {
    return this.#send("DELETE", `/order/${id}`);
  }

  async #send(method: string, route: string, body = ""): Promise<unknown> {
    const url = new URL(this.#baseUrl + route);
    const contentType = "application/json";
    const { headers } = signRequest({
      method,
      path: url.pathname,
      contentType,
      body: Buffer.from(body),
      ...this.#key,
      timestamp: String(Date.now()),
      nonce: randomUUID(),
    });
    const reply = await fetch(url, {
      method,
      headers: Object.fromEntries(headers),
      ...(body === "" ? {} : { body }),
    });
    if (!reply.ok) throw new Error(`${method} ${route}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }

  /** From zero up to, and without, the limit. */
  #draw(limit: number): number {
    this.#drawn += 1;
    const hash = createHash("sha256").update(`session ${this.#seed} ${this.#drawn}`).digest();
    return limit === 0 ? 0 : hash.readUInt32BE(0) % limit;
  }
}
