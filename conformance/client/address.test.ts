import { describe, expect, it } from "vitest";
import { SafetyStop } from "../model/outcome.ts";
import { pinnedLookup } from "./address.ts";

type Found = { readonly address: string; readonly family: number };

function ask(lookup: ReturnType<typeof pinnedLookup>): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup("ignored", { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve((found as readonly Found[])[0]?.address ?? "");
    });
  });
}

describe("the address of a target", () => {
  it("is the first one, however often the name server changes its mind", async () => {
    const answers = ["192.0.2.1", "192.0.2.2"];
    const lookup = pinnedLookup("gw.example", () =>
      Promise.resolve({ address: answers.shift() ?? "", family: 4 }),
    );
    expect([await ask(lookup), await ask(lookup)]).toEqual(["192.0.2.1", "192.0.2.1"]);
  });

  it.each([
    ["gw.example", "169.254.169.254"],
    ["gw.example", "0.0.0.0"],
    ["gw.example", "::ffff:169.254.1.1"],
    ["gw.example", "fe80::1"],
    ["localhost", "192.0.2.1"],
  ])("of %s is not %s", async (name, address) => {
    const lookup = pinnedLookup(name, () => Promise.resolve({ address, family: 4 }));
    await expect(ask(lookup)).rejects.toBeInstanceOf(SafetyStop);
  });
});
