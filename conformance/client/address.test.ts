import { describe, expect, it } from "vitest";
import { SafetyStop } from "../model/outcome.ts";
import { isLoopback, type Profile } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { pinnedLookup } from "./address.ts";
import { assertHostAllowed } from "./host-guard.ts";

interface Found {
  readonly address: string;
  readonly family: number;
}

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
    ["gw.example", "::ffff:a9fe:a9fe"],
    ["gw.example", "64:ff9b::a9fe:a9fe"],
    ["gw.example", "::"],
    ["gw.example", "255.255.255.255"],
    ["localhost", "192.0.2.1"],
  ])("of %s is not %s", async (name, address) => {
    const lookup = pinnedLookup(name, () => Promise.resolve({ address, family: 4 }));
    await expect(ask(lookup)).rejects.toBeInstanceOf(SafetyStop);
  });

  it.each([
    "https://0.0.0.0",
    "https://0",
    "https://[::]",
    "https://169.254.169.254",
    "https://2852039166",
    "https://0xa9fea9fe",
    "https://0251.0376.0251.0376",
    "https://169.254.43518",
    "https://[::ffff:169.254.169.254]",
    "https://[::ffff:a9fe:a9fe]",
    "https://[::169.254.169.254]",
    "https://[fe80::1]",
    "https://[ff02::1]",
    "https://224.0.0.1",
    "https://255.255.255.255",
  ])("is not %s, which nobody resolves", (url) => {
    const { hostname } = new URL(url);
    expect(() => pinnedLookup(hostname)).toThrow(SafetyStop);
    const made = plainProfile(`${url}/api/v1/trading`, "kid", "secret");
    if (typeof made === "string") throw new Error(made);
    const profile = { ...made, allowHosts: [hostname] };
    expect(() => assertHostAllowed(profile)).toThrow(/is not an address of a gateway/);
    const stream = { url: new URL(`${url.replace("https", "wss")}/ws`) } as NonNullable<Profile["stream"]>;
    const named = { ...profile, baseUrl: new URL("https://gw.example/api/v1/trading"), stream };
    expect(() => assertHostAllowed({ ...named, allowHosts: ["gw.example", hostname] })).toThrow(SafetyStop);
  });

  it.each(["127.0.0.1", "[::1]", "192.0.2.1", "10.0.0.1", "[2001:db8::1]"])("may be %s", (hostname) => {
    expect(() => pinnedLookup(hostname)).not.toThrow();
  });
});

describe("this machine", () => {
  it.each(["127.0.0.1", "127.255.255.254", "localhost", "[::1]"])("is %s", (hostname) => {
    expect(isLoopback(hostname)).toBe(true);
  });
  it.each(["127.999.1.1", "127.0.0.01", "127.0.0.256", "127.0.0.1.evil.example", "128.0.0.1", ""])(
    "is not %s",
    (hostname) => {
      expect(isLoopback(hostname)).toBe(false);
    },
  );
});
