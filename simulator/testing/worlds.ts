/** Worlds for tests: the demo world with a silent market, so that a test is alone with what it does. */
import { demoWorld } from "../world/demo-world.ts";
import type { ProductEntry, WorldFile } from "../world/schema.ts";

type Settings = NonNullable<WorldFile["settings"]>;

/**
 * No synthetic market anywhere: clients trade with each other and with what the control surface lays. Tests are faster than any
 * client; the one that is about rates turns their limit on.
 */
export function quietWorld(settings: Settings = {}, more: Partial<WorldFile> = {}): WorldFile {
  const products = (demoWorld.products ?? []).map(
    (product): ProductEntry => ({ ...product, liquidity: { mode: "empty" } }),
  );
  return { extends: "demo", products, settings: { rateLimit: { enabled: false }, ...settings }, ...more };
}
