/** Tests that start `bin/gatewright` need it built. `npm test` has done that; a lone vitest run does it here. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { beforeAll } from "vitest";
import { checkoutRoot } from "../checkout.ts";

const longestBuildMs = 300_000;

export function useBuild(): void {
  beforeAll(() => {
    execFileSync(process.execPath, [path.join(checkoutRoot, "tools", "setup.mjs")], { stdio: "inherit" });
  }, longestBuildMs);
}
