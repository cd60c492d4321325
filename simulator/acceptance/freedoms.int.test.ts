/** The register of freedoms beside the settings that are behind it. */
import { describe, expect, test } from "vitest";
import { type JsonObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, limitSell, withVenue } from "../testing/venue.ts";
import { knownFreedoms, settingAt, valueOf } from "../world/freedoms.ts";

const venue = useVenue();
const rows = async (): Promise<readonly JsonObject[]> =>
  listIn((await venue().control("/freedoms", {}, "GET"))["freedoms"]);

describe("the register of freedoms", () => {
  test("says of each which option is in force, and when it can be switched", async () => {
    const settings = await venue().control("/settings", {}, "GET");
    const found = await rows();
    expect(found.map(({ id }) => id)).toEqual(knownFreedoms().map(({ id }) => id));
    for (const { id, setting, default: usual, options } of knownFreedoms()) {
      const row = found.find((one) => one["id"] === id);
      expect([id, row?.["option"]]).toEqual([id, usual]);
      if (setting === null) expect([id, row?.["switchable"]]).toEqual([id, "never"]);
      else
        expect([id, options.map(valueOf)]).toEqual([
          id,
          expect.arrayContaining([settingAt(settings, setting)]),
        ]);
    }
  });

  test("switches each that can be switched at run time to each of its options", async () => {
    await withVenue({}, async (own) => {
      const switched = (await rows()).filter(({ switchable }) => switchable === "run time");
      expect(switched.length).toBeGreaterThan(9);
      for (const { id, options, setting } of switched)
        for (const option of listIn(options)) {
          const answer = await own.control(
            `/freedoms/${String(id)}`,
            { option: option["id"] ?? null },
            "PUT",
          );
          expect(answer).toEqual({ freedom: id, option: option["id"] });
          const meant = knownFreedoms()
            .find((one) => one.id === id)
            ?.options.find((one) => one.id === option["id"]);
          const settings = await own.control("/settings", {}, "GET");
          expect(settingAt(settings, String(setting))).toEqual(
            meant === undefined ? undefined : valueOf(meant),
          );
        }
    });
  });

  test("is obeyed by the engine from the next command on, and journaled", async () => {
    await withVenue({}, async (own) => {
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
    await withVenue({}, async (own) => {
      const put = (id: string, option: string) => own.controlReply(`/freedoms/${id}`, { option }, "PUT");
      expect((await put("F-match-delay", "123")).data).toEqual({ freedom: "F-match-delay", option: "123" });
      const before = await own.control("/state-hash", {}, "GET");
      for (const [id, option, status, said] of [
        ["F-match-delay", "soon", 400, "matchDelayMs"],
        ["F-self-trade", "noen", 400, "none"],
        ["F-self-tarde", "none", 404, "F-self-trade"],
        ["F-signed-path", "either", 409, "auth: { signedPath"],
        ["F-secret-bytes", "hex", 409, "one option only"],
      ] as const) {
        const reply = await put(id, option);
        expect([id, reply.status]).toEqual([id, status]);
        expect(reply.text).toContain(said);
      }
      expect(await own.control("/state-hash", {}, "GET")).toEqual(before);
    });
  });
});
