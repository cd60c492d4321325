import { parseDocument } from "yaml";
import type { Profile } from "../model/profile.ts";
import { yamlComment } from "../parse/yaml-text.ts";
import type { SeenProduct } from "./seen-products.ts";
import type { Learned } from "./sighting.ts";

/**
 * The profile that learn was given, with what it has seen where the owner has said nothing: how queries are signed, how
 * far clocks may differ, a pair that is closed, the limits of a product. Existing lines stay, comments included.
 * The file has been read and checked before, so its text is no danger here.
 */
export function learnedProfile(
  text: string,
  learned: readonly Learned[],
  products: readonly SeenProduct[],
  profile: Profile,
): string {
  const document = parseDocument(text);
  const found = additions(learned, products, profile);
  const stated = (path: readonly string[]): unknown => document.getIn(path);
  const added = found.filter(([path]) => stated(path) === undefined || stated(path) === "unknown");
  // Of several closed pairs and limited products each is right, so only the two of signatures can contradict.
  const differing = found.filter(
    (one) => one[0][0] === "auth" && !added.includes(one) && stated(one[0]) !== one[1],
  );
  for (const [path, value] of added) document.setIn(path, document.createNode(value, { flow: true }));
  const names = added.map(([path]) => path.join(".")).join(", ");
  const lines = [
    "# Read by gatewright learn. The kit judges none of these options; evidence is in its JSON report.",
    ...(added.length === 0 ? [] : [`# Written into this profile, as promises (docs/profile.md): ${names}.`]),
    ...differing.map(
      ([path, value]) => `# ${path.join(".")} says ${String(stated(path))}, and ${String(value)} was seen.`,
    ),
    ...learned
      .filter(({ option }) => option !== "unknown")
      .map(
        ({ freedom, option, samples, confidence }) =>
          `#   ${freedom}: ${yamlComment(option)} (${samples} samples, confidence ${confidence})`,
      ),
    "",
  ];
  return `${lines.join("\n")}\n${document.toString({ lineWidth: 0 })}`;
}

type Addition = readonly [path: readonly string[], value: unknown];

function additions(
  learned: readonly Learned[],
  products: readonly SeenProduct[],
  { safety }: Profile,
): Addition[] {
  const optionOf = (freedom: string): string =>
    learned.find((one) => one.freedom === freedom)?.option ?? "unknown";
  const signed = { path: "path", "path-and-query": "pathAndQuery" }[optionOf("F-signed-path")];
  const clock = Number(optionOf("F-clock-window"));
  const closed = products.find(({ enabled }) => !enabled)?.id;
  const planned = products.find(({ id, enabled }) => enabled && Object.hasOwn(safety.products, id));
  const { minOrderSize: min, maxOrderSize: max } = planned?.limits ?? {};
  const limits = { product: planned?.id, min, max, step: planned?.baseIncrement };
  return [
    ...(signed === undefined ? [] : [[["auth", "signedPath"], signed] as const]),
    ...(Number.isNaN(clock) ? [] : [[["auth", "clockToleranceMs"], clock] as const]),
    ...(closed === undefined ? [] : [[["facts", "disabledProduct"], closed] as const]),
    ...(Object.values(limits).includes(undefined) ? [] : [[["facts", "limits"], limits] as const]),
  ];
}
