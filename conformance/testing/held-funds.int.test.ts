import { expect, it } from "vitest";
import { conform } from "../index.ts";
import { startGateway } from "./foreign-gateway/bugs.ts";
import { profile } from "./foreign-gateway/profile.ts";

/** None of these cases reads a wallet; the held funds at the end are found nevertheless. */
async function holdsAfter(...bugs: readonly string[]) {
  await using gateway = await startGateway(...bugs);
  const { clauses, ambient } = await conform({
    ...profile(gateway),
    level: "full",
    properties: "off",
    only: ["market-buy-060-*"],
    expectations: false,
  });
  const { outcome } = clauses.find(({ id }) => id === "PLC-36") ?? {};
  return { outcome, seen: ambient.map(({ clause, pointer }) => `${clause} ${pointer}`) };
}

it("convicts a gateway that goes on holding funds when all orders of the run have ended, and no other", async () => {
  expect(await holdsAfter("F-51")).toEqual({ outcome: "violated", seen: ["PLC-36 wallet USD/hold"] });
  expect((await holdsAfter()).seen).toEqual([]);
});
