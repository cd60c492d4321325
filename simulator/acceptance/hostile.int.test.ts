/** Freedoms chosen at a start, by a seed and while the venue runs, and what a client sees of them. */
import { describe, expect, test } from "vitest";
import { startSimulator } from "../index.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, withVenue } from "../testing/venue.ts";
import { canBeTaken } from "../world/choose-freedoms.ts";
import { freedomSets, knownFreedoms, whenOf } from "../world/freedoms.ts";
import { hostileFreedoms, hostileOptions } from "../world/hostile.ts";

const withWorld = useWorlds();

describe("hostile mode", () => {
  test("chooses options that exist, the same for the same seed, and all of them for some seed", () => {
    const met = new Map<string, Set<string>>();
    for (let seed = 1; seed <= 200; seed += 1) {
      const chosen = hostileFreedoms(seed);
      expect(hostileFreedoms(seed)).toEqual(chosen);
      for (const [id, option] of Object.entries(chosen)) met.set(id, (met.get(id) ?? new Set()).add(option));
    }
    for (const freedom of knownFreedoms())
      expect([freedom.id, [...(met.get(freedom.id) ?? [])].toSorted()]).toEqual([
        freedom.id,
        hostileOptions(freedom).toSorted(),
      ]);
    expect([...met.keys()].length).toBeGreaterThan(35);
    expect(hostileFreedoms(1)).not.toEqual(hostileFreedoms(2));
  });

  test("is switched on and off in one entry of the journal each, and leaves what the world began with", async () => {
    await withWorld(
      { world: { extends: "demo", settings: { stp: "none", matchDelayMs: 0 } } },
      async (venue) => {
        const before = await venue.control("/settings", {}, "GET");
        const { seq } = await venue.control("/health", {}, "GET");
        const on = await venue.control("/hostile", { seed: 3 }, "PUT");
        const chosen = Object.entries(hostileFreedoms(3));
        const at = (when: string) =>
          Object.fromEntries(
            chosen.filter(([id]) => knownFreedoms().some((one) => one.id === id && whenOf(one) === when)),
          );
        expect(on["hostile"]).toBe(3);
        expect(on["freedoms"]).toMatchObject(at("run time"));
        expect(on["left"]).toEqual(at("start"));
        const health = await venue.control("/health", {}, "GET");
        expect([health["hostile"], health["freedoms"], health["seq"]]).toEqual([
          3,
          on["freedoms"],
          Number(seq) + 1,
        ]);
        expect(await venue.control("/hostile", { seed: null }, "PUT")).toMatchObject({ hostile: null });
        expect(await venue.control("/settings", {}, "GET")).toEqual({
          ...before,
          answerDelayMs: 0,
          variations: [],
        });
      },
    );
  });

  test("goes on in a fork and after a reset, and is told to other worlds by nobody", async () => {
    await using simulator = await startSimulator({
      hostile: 3,
      freedoms: { "F-open-orders-shape": "array" },
    });
    const { freedoms } = await simulator.control.health.read();
    expect(freedoms).toEqual({ ...hostileFreedoms(3), "F-open-orders-shape": undefined });
    await using plain = await simulator.world();
    await using fork = await simulator.world({ from: "main" });
    await using hostile = await simulator.world({ hostile: 3 });
    expect((await plain.control.health.read()).freedoms).toEqual({});
    expect(await fork.control.health.read()).toMatchObject({ hostile: 3, freedoms });
    expect((await hostile.control.health.read()).freedoms).toEqual(hostileFreedoms(3));
    await hostile.reset();
    expect((await hostile.control.health.read()).freedoms).toEqual(hostileFreedoms(3));
    await expect(simulator.world({ from: "main", hostile: 3 })).rejects.toThrow(/goes without hostile/);
  });
});

describe("chosen freedoms", () => {
  test("shape the answers from the next request on", async () => {
    await withWorld({}, async (venue) => {
      const { id } = await venue.placed(limitBuy({ price: "100" }));
      const open = async (): Promise<unknown> => JSON.parse((await venue.trader.get("/order/open")).text);
      expect(await open()).toMatchObject({ data: [{ id }] });
      await venue.control("/freedoms/F-open-orders-shape", { option: "paged" }, "PUT");
      expect(await open()).toMatchObject({ data: { items: [{ id }] } });
      await venue.control("/freedoms/F-unknown-product", { option: "404" }, "PUT");
      const refused = await venue.trader.place(limitBuy({ product: "NONE-USD" }));
      expect([refused.status, refused.body["statusCode"]]).toEqual([404, 404]);
      await venue.control("/freedoms", { set: "polite" }, "PUT");
      expect(await open()).toMatchObject({ data: [{ id }] });
    });
  });

  test("are shown in the exchange of a request, and in the story of its order", async () => {
    await withWorld({}, async (venue) => {
      await venue.control("/freedoms/F-self-trade", { option: "none" }, "PUT");
      const { id } = await venue.placed(limitBuy({ price: "100" }));
      const { exchanges } = await venue.control("/exchanges?path=/api", {}, "GET");
      const [exchange] = exchanges as readonly { readonly requestId: string }[];
      const read = await venue.control(`/exchanges/${exchange?.requestId}`, {}, "GET");
      expect(read["freedoms"]).toEqual({ "F-self-trade": "none" });
      const { facts } = await venue.control(`/explain/${String(id)}`, {}, "GET");
      const told = (facts as readonly { code: string; sentence: string }[]).filter(
        ({ code }) => code === "FREEDOMS",
      );
      expect(told.map(({ sentence }) => sentence)).toEqual([
        "One freedom was not as by default: F-self-trade was none.",
      ]);
    });
  });

  test("can be put back as they were read, and a mistake changes nothing", async () => {
    await withWorld({}, async (venue) => {
      await venue.control("/hostile", { seed: 5 }, "PUT");
      const read = await venue.control("/freedoms", {}, "GET");
      const state = await venue.control("/settings", {}, "GET");
      await venue.control("/freedoms", { set: "polite" }, "PUT");
      expect(await venue.control("/settings", {}, "GET")).not.toEqual(state);
      await venue.control("/freedoms", read, "PUT");
      expect(await venue.control("/settings", {}, "GET")).toEqual(state);
      const hash = await venue.control("/state-hash", {}, "GET");
      const put = (id: string, option: string) =>
        venue.controlReply(
          "/freedoms",
          {
            freedoms: [
              { id: "F-self-trade", option: "none" },
              { id, option },
            ],
          },
          "PUT",
        );
      for (const [id, option, status, said] of [
        ["F-self-tarde", "none", 400, "F-self-trade"],
        ["F-self-trade", "noen", 400, "none"],
        ["F-error-body", "problem", 400, "plain-text"],
        ["F-signed-path", "either", 409, "--freedom"],
        ["F-secret-bytes", "hex", 409, "one option only"],
      ] as const) {
        const reply = await put(id, option);
        expect([id, reply.status, reply.text]).toEqual([id, status, expect.stringContaining(said)]);
      }
      expect(await venue.control("/state-hash", {}, "GET")).toEqual(hash);
    });
  });

  test("of every set can be taken, at a start and at run time", async () => {
    for (const freedomSet of freedomSets) {
      await using simulator = await startSimulator({ freedomSet });
      const { freedoms } = await simulator.control.health.read();
      await using world = await simulator.world();
      const used = await world.control.freedoms.use({ set: freedomSet });
      expect({ ...used.freedoms, ...used.left }).toEqual(freedoms);
    }
  });

  test("delay answers", async () => {
    await withVenue({ freedoms: { "F-answer-delay": "40" } }, async (venue) => {
      const begun = performance.now();
      for (let count = 0; count < 8; count += 1) await venue.trader.get("/product");
      // The delays that the seed of this world draws are more than 40 ms together, and a timer is never early.
      expect(performance.now() - begun).toBeGreaterThan(40);
    });
  });

  test("are refused at a start with the nearest valid one", async () => {
    const start = (freedoms: Readonly<Record<string, string>>) => startSimulator({ freedoms });
    await expect(start({ "F-self-tarde": "none" })).rejects.toThrow(/did you mean "F-self-trade"/);
    await expect(start({ "F-self-trade": "noen" })).rejects.toThrow(/did you mean "none"/);
    await expect(start({ "F-secret-bytes": "hex" })).rejects.toThrow(/one option only/);
    expect(knownFreedoms().every((one) => one.options.some((option) => canBeTaken(one, option)))).toBe(true);
  });
});
