/** The register of freedoms beside the settings that are behind it. */
import { describe, expect, test } from "vitest";
import { type JsonObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, limitSell } from "../testing/venue.ts";
import { canBeTaken } from "../world/choose-freedoms.ts";
import { knownFreedoms, settingAt, valueOf, whenOf } from "../world/freedoms.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);
const rows = async (): Promise<readonly JsonObject[]> =>
  listIn((await venue().control("/freedoms", {}, "GET"))["freedoms"]);

describe("the register of freedoms", () => {
  test("says of each which option is in force, and when it can be switched", async () => {
    const settings = await venue().control("/settings", {}, "GET");
    const found = await rows();
    expect(found.map(({ id }) => id)).toEqual(knownFreedoms().map(({ id }) => id));
    for (const freedom of knownFreedoms()) {
      const { id, setting, default: usual, options } = freedom;
      const row = found.find((one) => one["id"] === id);
      expect([id, row?.["option"], row?.["switchable"]]).toEqual([id, usual, whenOf(freedom)]);
      if (setting !== null)
        expect([id, options.map(valueOf)]).toEqual([
          id,
          expect.arrayContaining([settingAt({ answerDelayMs: 0, ...settings }, setting)]),
        ]);
    }
  });

  test("says of each that cannot be switched why not, beside the reason of its default", async () => {
    const found = await rows();
    for (const { id, switchable, whyFixed, reason } of found) {
      expect([id, typeof whyFixed]).toEqual([id, switchable === "never" ? "string" : "object"]);
      expect([id, whyFixed]).not.toEqual([id, reason]);
    }
    const row = found.find(({ id }) => id === "F-secret-bytes");
    expect(row?.["whyFixed"]).toContain("one canonical string; another option would need");
    expect(row?.["reason"]).toContain("The secret is handed out as text");
  });

  test("switches each that can be switched at run time to each of its options", async () => {
    await withWorld({}, async (own) => {
      const switched = (await rows()).filter(({ switchable }) => switchable === "run time");
      expect(switched.length).toBeGreaterThan(35);
      for (const freedom of knownFreedoms().filter((one) => whenOf(one) === "run time"))
        for (const option of freedom.options.filter((one) => canBeTaken(freedom, one))) {
          const { id } = freedom;
          expect(await own.control(`/freedoms/${id}`, { option: option.id }, "PUT")).toEqual({
            freedom: id,
            option: option.id,
          });
          const { freedoms } = await own.control("/health", {}, "GET");
          expect([id, freedoms]).toEqual([
            id,
            expect.objectContaining(option.id === freedom.default ? {} : { [id]: option.id }),
          ]);
        }
    });
  });

  test("is obeyed by the engine from the next command on, and journaled", async () => {
    await withWorld({}, async (own) => {
      const before = await own.control("/state-hash", {}, "GET");
      await own.control("/freedoms/F-self-trade", { option: "cancel-oldest" }, "PUT");
      expect(await own.control("/state-hash", {}, "GET")).not.toEqual(before);
      const { id } = await own.placed(limitSell({ price: "60000" }));
      await own.settle();
      await own.placed(limitBuy({ price: "60000" }));
      await own.settle();
      expect((await own.order(String(id)))["status"]).toBe("CANCELLED");
    });
  });

  test("takes a number where the setting does, and refuses what it cannot be", async () => {
    await withWorld({}, async (own) => {
      const put = (id: string, option: string) => own.controlReply(`/freedoms/${id}`, { option }, "PUT");
      expect((await put("F-match-delay", "123")).data).toEqual({ freedom: "F-match-delay", option: "123" });
      const before = await own.control("/state-hash", {}, "GET");
      for (const [id, option, status, said] of [
        ["F-match-delay", "soon", 400, "another number"],
        ["F-self-trade", "noen", 400, "none"],
        ["F-self-tarde", "none", 404, "F-self-trade"],
        ["F-signed-path", "either", 409, "--freedom F-signed-path"],
        ["F-secret-bytes", "hex", 409, "one option only: There is one reading"],
      ] as const) {
        const reply = await put(id, option);
        expect([id, reply.status]).toEqual([id, status]);
        expect(reply.text).toContain(said);
      }
      expect(await own.control("/state-hash", {}, "GET")).toEqual(before);
    });
  });
});
