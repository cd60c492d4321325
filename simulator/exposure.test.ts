/** A start that lets other machines in: public secrets need the caller's word, and the printed address can be called. */
import { expect, test } from "vitest";
import { banner } from "./banner.ts";
import { elsewhere, publicSecrets, reachable } from "./exposure.ts";
import { startSimulator } from "./index.ts";
import { buildWorld } from "./world/build-world.ts";
import { demoWorld } from "./world/demo-world.ts";

const demo = buildWorld(demoWorld);
const ownSecrets = buildWorld({
  ...demoWorld,
  keys: (demoWorld.keys ?? []).map((key) => ({ ...key, secret: `a secret of ${key.name} alone` })),
});

test.each(["0.0.0.0", "::", "10.0.0.1", "venue.example"])(
  "--host %s with public secrets is refused, and the refusal says what to do",
  (host) => {
    expect(() => publicSecrets({ host }, demo)).toThrow(
      /trader, reader,.*secret of its own in a world file.*--public-demo-secrets/s,
    );
  },
);

test("nothing is opened by a refused start", async () => {
  await expect(startSimulator({ host: "0.0.0.0" })).rejects.toThrow("--public-demo-secrets");
});

test.each(["short", "", "a token of several words", "sixteen-and-more\n"])(
  "the control token %j is refused before anything is opened",
  async (controlToken) => {
    await expect(startSimulator({ controlToken })).rejects.toThrow("16 to 256 characters");
  },
);

test("a given control token opens the control surface", async () => {
  await using simulator = await startSimulator({ controlToken: "a-token-that-the-test-knows" });
  expect(simulator.control?.token).toBe("a-token-that-the-test-knows");
  expect(await simulator.control?.clock.read()).toMatchObject({ mode: "real" });
});

test("the flag lets it start with a warning that names the keys", () => {
  const warning = publicSecrets({ host: "0.0.0.0", publicDemoSecrets: true }, demo);
  expect(warning).toMatch(/^WARNING\n!{72}\nANYONE WHO CAN REACH 0\.0\.0\.0 CAN READ AND TRADE HERE/);
  expect(warning).toContain("trader, reader, other, counterparty");
  expect(warning).not.toContain("disabled");
});

test.each(["127.0.0.1", "localhost", "::1"])("%s is this machine: nothing to warn of", (host) => {
  expect(publicSecrets({ host }, demo)).toBeNull();
});

test("a world with its own secrets may listen anywhere; with one public secret it may not", () => {
  expect(publicSecrets({ host: "0.0.0.0" }, ownSecrets)).toBeNull();
  const [first, ...others] = demoWorld.keys ?? [];
  if (first === undefined) throw new Error("the demo world has keys");
  const mixed = {
    ...demoWorld,
    keys: [first, ...others.map((key) => ({ ...key, secret: `of ${key.name}` }))],
  };
  expect(() => publicSecrets({ host: "0.0.0.0" }, buildWorld(mixed))).toThrow(/key id: trader\. Give/);
});

test("an address that means all addresses is called by loopback, any other by its name", () => {
  expect(reachable("0.0.0.0", "0.0.0.0")).toBe("127.0.0.1");
  expect(reachable("::", "::")).toBe("::1");
  expect(reachable("venue.example", "10.0.0.1")).toBe("venue.example");
  expect(elsewhere("127.0.0.1")).toEqual([]);
  expect(elsewhere("0.0.0.0")).not.toContain("127.0.0.1");
});

test("the banner says why the control surface is off and what turns it on", () => {
  const running = { baseUrl: "http://127.0.0.1:1/api/v1/trading", keys: [], control: null, seed: 1 };
  const start = { db: ":memory:", entries: 0, others: ["http://10.0.0.1:1/api/v1/trading"] };
  const remote = banner(running, { ...start, control: "loopback" });
  expect(remote).toMatch(/Console +off: without --control remote it answers on loopback only/);
  expect(remote).toMatch(/Elsewhere +http:\/\/10\.0\.0\.1:1\//);
  expect(banner(running, { ...start, control: "off" })).toMatch(/Control +off, because of --control off/);
});

test("the banner names the id of every key", async () => {
  await using simulator = await startSimulator();
  for (const { keyId } of simulator.keys) expect(simulator.banner()).toContain(keyId);
});
