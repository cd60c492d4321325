/** Collects problems; a check says where and what, and goes on. */
import { didYouMean, nearestName } from "../../domain/nearest-name.ts";
import type { Path, PathProblem } from "../../schema/problem.ts";
import type { Entries, NamedSection } from "./entries.ts";

/** The known names for references. */
export interface Known<Section extends NamedSection> {
  readonly names: Pick<Entries["names"], Section>;
  readonly doubtful: ReadonlySet<string>;
}

const singular: Readonly<Record<NamedSection, string>> = {
  assets: "asset",
  products: "product",
  clients: "client",
  keys: "key",
};

export class Reporter {
  readonly problems: PathProblem[] = [];

  value(path: Path, issue: string, advice: string | null = null): void {
    this.problems.push({ path, on: "value", issue, advice });
  }

  key(path: Path, issue: string, advice: string | null = null): void {
    this.problems.push({ path, on: "key", issue, advice });
  }

  /** Reports a name that no entry of a section has; true when it is known. */
  known<Section extends NamedSection>(
    path: Path,
    on: "key" | "value",
    section: Section,
    name: string,
    entries: Known<Section>,
  ): boolean {
    const names = entries.names[section];
    if (names?.has(name) === true) return true;
    const near = names === null ? null : nearestName(name, names);
    // Another problem explains this one as well.
    if (names === null || (near !== null && entries.doubtful.has(near))) return false;
    const listed =
      names.size === 0 ? `the world has no ${section}` : `${section} are ${[...names].join(", ")}`;
    const wanted = `${singular[section]} ${JSON.stringify(name)}`;
    const issue = `refers to ${wanted}, which does not exist`;
    this.problems.push({ path, on, issue, advice: didYouMean(name, names) ?? listed });
    return false;
  }

  /** Reports every name in a list that an earlier entry already has. */
  unique(section: string, property: string, names: readonly (string | null)[]): void {
    const first = new Map<string, number>();
    for (const [index, name] of names.entries()) {
      if (name === null) continue;
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, index);
      else
        this.value([section, index, property], `repeats ${JSON.stringify(name)} of ${section}[${earlier}]`);
    }
  }
}
