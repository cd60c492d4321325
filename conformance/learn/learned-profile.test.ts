import { expect, it } from "vitest";
import { plainProfile } from "../parse/profile.ts";
import { learnedProfile } from "./learned-profile.ts";
import type { SeenProduct } from "./seen-products.ts";
import type { Learned } from "./sighting.ts";

const profile = plainProfile("http://127.0.0.1:9/api/v1/trading", "kid", "a secret of the test");
const saw = (freedom: string, option: string): Learned => ({
  freedom,
  option,
  evidence: [],
  samples: 2,
  confidence: "high",
});
const learned = [
  saw("F-signed-path", "path-and-query"),
  saw("F-clock-window", "5000"),
  saw("F-self-trade", "unknown"),
];
const pair = { base: "BTC", quote: "USD", limits: {} };
const products: SeenProduct[] = [
  { ...pair, id: "BTC-USD", enabled: true },
  { ...pair, id: "BTC-EUR", enabled: false },
];
const written = (text: string): string => {
  if (typeof profile === "string") throw new Error(profile);
  return learnedProfile(text, learned, products, profile);
};

it("adds what the owner left open, and keeps the rest with its comments", () => {
  const text = written("kit: 1 # ours\nname: x\nauth: { signedPath: unknown }\n");
  expect(text).toContain("kit: 1 # ours\nname: x\n");
  expect(text).toContain("auth: { signedPath: pathAndQuery, clockToleranceMs: 5000 }");
  expect(text).toContain("disabledProduct: BTC-EUR");
  expect(text).toContain(
    "as promises (docs/profile.md): auth.signedPath, auth.clockToleranceMs, facts.disabledProduct.",
  );
  expect(text).not.toContain("F-self-trade");
});

it("changes nothing that the owner has stated, and says what was seen instead", () => {
  const text = written(
    "kit: 1\nauth: { signedPath: path, clockToleranceMs: 5000 }\nfacts: { disabledProduct: X-Y }\n",
  );
  expect(text).toContain(
    "auth: { signedPath: path, clockToleranceMs: 5000 }\nfacts: { disabledProduct: X-Y }",
  );
  expect(text).toContain("# auth.signedPath says path, and pathAndQuery was seen.");
  expect(text).not.toContain("clockToleranceMs says");
});
