import { scaleOf } from "../check/decimal.ts";
import { yamlComment, yamlScalar } from "../parse/yaml-text.ts";
import { type FreedomEntry, isChoosable } from "./register.ts";
import type { SeenProduct } from "./seen-products.ts";
import type { Learned } from "./sighting.ts";

type WholeProduct = SeenProduct &
  Required<Pick<SeenProduct, "baseIncrement" | "priceIncrement" | "referencePrice">>;

/**
 * A world in which a simulator behaves like the target, as far as it was seen: the options that it can take, and the
 * products with their limits. Unknown freedoms keep the simulator's default, and are listed in a comment.
 */
export function learnedWorld(
  learned: readonly Learned[],
  register: readonly FreedomEntry[],
  products: readonly SeenProduct[],
  origin: string,
): string {
  const entryOf = (id: string) => register.find((entry) => entry.id === id);
  const known = learned.filter(({ option }) => option !== "unknown");
  const canTake = ({ freedom, option }: Learned): boolean => {
    const entry = entryOf(freedom);
    return entry !== undefined && isChoosable(entry, option);
  };
  const fixed = known.filter((one) => !canTake(one) && entryOf(one.freedom)?.usual !== one.option);
  const unknown = learned.filter(
    ({ option, freedom }) => option === "unknown" && entryOf(freedom)?.setting !== null,
  );
  return [
    `# Learned by gatewright learn from ${yamlComment(origin)}.`,
    "# It behaves like that target where something stands below, and like the demo world in all else.",
    "extends: demo",
    ...productLines(products),
    "freedoms:",
    ...known
      .filter(canTake)
      .map(
        ({ freedom, option, samples, evidence }) =>
          `  ${freedom}: ${yamlScalar(option)} # ${samples} samples: ${yamlComment(evidence[0] ?? "", 120)}`,
      ),
    ...(fixed.length === 0 ? [] : ["# Seen at the target, and not for a simulator to choose:"]),
    ...fixed.map(({ freedom, option }) => `#   ${freedom}: ${yamlComment(option)}`),
    ...(unknown.length === 0 ? [] : ["# Not known of the target:"]),
    ...unknown.map(({ freedom, reason = "" }) => `#   ${freedom}: ${yamlComment(reason, 120)}`),
    "",
  ].join("\n");
}

function productLines(products: readonly SeenProduct[]): string[] {
  const whole = products.filter(isWhole);
  const partial = products.filter((product) => !isWhole(product));
  const left = partial.map(
    ({ id }) => `# ${yamlComment(id)} is listed; its increments or its price were not seen.`,
  );
  if (whole.length === 0)
    return ["# No product was seen with increments and a price: those of the demo world stay.", ...left];
  const assets = [...new Set(whole.flatMap(({ base, quote }) => [base, quote]))];
  const balances = assets.map((asset) => `${yamlScalar(asset)}: ${yamlScalar(balanceIn(asset, whole))}`);
  return [
    "assets:",
    ...assets.map((asset) => `  - { symbol: ${yamlScalar(asset)}, name: ${yamlScalar(asset)} }`),
    "# Limits as the target lists them. Its prices move, and those of this world stand around referencePrice.",
    "products:",
    ...whole.map((product) => `  - ${flow(product)}${product.isIncrementGuessed === true ? guessed : ""}`),
    ...left,
    "# Balances and fees were not looked at.",
    "clients:",
    ...["alice", "bob", "carol"].map(
      (name) =>
        `  - { name: ${name}, feeModel: ALL_IN, makerRate: "0.001", takerRate: "0.0025", balances: { ${balances.join(", ")} } }`,
    ),
  ];
}

const guessed =
  " # priceIncrement is the finest price that was seen: state safety.products.*.priceStep to be sure";

const isWhole = (product: SeenProduct): product is WholeProduct =>
  product.baseIncrement !== undefined &&
  product.priceIncrement !== undefined &&
  product.referencePrice !== undefined;

function flow({ id, enabled, baseIncrement, priceIncrement, limits, referencePrice }: WholeProduct): string {
  const fields = { id, baseIncrement, priceIncrement, ...limits, referencePrice };
  const texts = Object.entries(fields).map(([key, value]) => `${key}: ${yamlScalar(value)}`);
  return `{ ${[...texts, ...(enabled ? [] : ["apiEnabled: false"])].join(", ")} }`;
}

/** A ledger has at most eighteen digits and a half: the finer its unit, the smaller the largest balance. */
function balanceIn(asset: string, products: readonly WholeProduct[]): string {
  const places = products
    .filter(({ quote }) => quote === asset)
    .map(({ baseIncrement, priceIncrement }) => scaleOf(baseIncrement) + scaleOf(priceIncrement));
  return `1${"0".repeat(Math.min(6, 18 - Math.max(8, ...places)))}`;
}
