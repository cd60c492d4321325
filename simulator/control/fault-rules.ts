/** Fault rules as a person or a scenario writes them: the rules of a world file, for a venue that runs. */
import type { ApiKey } from "../domain/account.ts";
import type { FaultRule } from "../domain/fault.ts";
import type { Product } from "../domain/market.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Problem } from "../wire/body.ts";
import { buildFault } from "../world/build-world.ts";
import { checkFaults } from "../world/check/faults.ts";
import { Reporter } from "../world/check/reporter.ts";
import type { FaultEntry } from "../world/schema.ts";
import { asProblem } from "./read-body.ts";

interface Names {
  readonly products: readonly Pick<Product, "id">[];
  readonly keys: readonly Pick<ApiKey, "name">[];
}

/** Checks beyond the schema: unknown names, and conditions that can never hold. */
export function readFaultRules(
  given: readonly FaultEntry[],
  { products, keys }: Names,
): Result<readonly FaultRule[], readonly Problem[]> {
  const report = new Reporter();
  const names = {
    products: new Set(products.map(({ id }) => id)),
    keys: new Set(keys.map(({ name }) => name)),
  };
  checkFaults("rules", given, { names, doubtful: new Set() }, report);
  return report.problems.length > 0 ? err(report.problems.map(asProblem)) : ok(given.map(buildFault));
}
