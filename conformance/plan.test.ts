import { expect, it } from "vitest";
import { planRun } from "./plan.ts";

const target = "http://127.0.0.1:1/api/v1/trading";
const own = { target, keyId: "key", secret: "a secret of the trader" };

it("says when the time is that of the cases alone, because properties follow them", async () => {
  const whole = await planRun({ ...own, level: "core" });
  expect(whole.time.propertiesFollow).toBe(true);
  const selected = await planRun({ ...own, level: "core", only: ["auth-010*"] });
  expect(selected.time.propertiesFollow).toBe(false);
});
