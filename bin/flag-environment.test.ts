import { Command } from "@commander-js/extra-typings";
import { afterEach, expect, it, vi } from "vitest";
import { withVariables } from "./flag-environment.ts";
import { collect, eachIn, portNumber } from "./flag-values.ts";

afterEach(() => void vi.unstubAllEnvs());

function flagsWith(environment: Readonly<Record<string, string>>, ...args: string[]) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return withVariables(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option("--port <number>", "", portNumber, 8080)
    .option("--freedom <id=option>", "", eachIn(collect), [])
    .option("--no-exchanges", "")
    .option("--with-parent", "")
    .parse(args, { from: "user" })
    .opts();
}

it("gives each flag a variable, which the flag itself overrules", () => {
  const environment = { GATEWRIGHT_PORT: "0", GATEWRIGHT_FREEDOM: "F-a=x, F-b=y" };
  expect(flagsWith(environment)).toEqual({ port: 0, freedom: ["F-a=x", "F-b=y"], exchanges: true });
  expect(flagsWith(environment, "--port", "9", "--freedom", "F-c=z")).toMatchObject({
    port: 9,
    freedom: ["F-c=z"],
  });
});

it.each([
  ["true", false],
  ["1", false],
  ["false", true],
  ["0", true],
  ["", true],
])("takes a flag without a value from %j", (text, kept) => {
  expect(flagsWith({ GATEWRIGHT_NO_EXCHANGES: text }).exchanges).toBe(kept);
});

it("takes an empty variable for one that is not set", () => {
  expect(flagsWith({ GATEWRIGHT_PORT: "", GATEWRIGHT_FREEDOM: "" })).toMatchObject({
    port: 8080,
    freedom: [],
  });
});

it("names the variable whose value is refused", () => {
  const refused = vi.fn();
  try {
    flagsWith({ GATEWRIGHT_PORT: "eighty" });
  } catch (error) {
    refused((error as Error).message);
  }
  expect(refused).toHaveBeenCalledWith(
    expect.stringMatching(/'eighty' from env 'GATEWRIGHT_PORT' is invalid/),
  );
});
