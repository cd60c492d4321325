/** The routes of the listener as data, for refusals of unknown ones: the methods of a path, and the nearest path. */
import type { Refusal } from "./errors.ts";
import { printable } from "./printable.ts";

interface Known {
  readonly method: string;
  /** As registered: parameters begin with a colon, and a star at the end is any rest. */
  readonly path: string;
}

export class KnownRoutes {
  readonly #all: Known[] = [];

  add(methods: string | readonly string[], path: string): void {
    for (const method of [methods].flat()) this.#all.push({ method, path });
  }

  /** Of the server as a whole, for `Allow`. */
  get methods(): string {
    return [...new Set(["OPTIONS", ...this.#all.map(({ method }) => method)])].sort().join(", ");
  }

  /** 405 where the path has only other methods, else 404. */
  refusalOf(method: string, target: string): Refusal {
    const path = target.split("?", 1)[0] ?? "";
    const there = this.#all.filter((one) => matches(one.path, path)).map((one) => one.method);
    const asked = `${printable(method, 16)} ${printable(path)}`;
    // A route that has the method knows no such thing: a file of the documentation, for example.
    if (there.length > 0 && !there.includes(method)) {
      const allow = [...new Set(there)].sort().join(", ");
      const message = `There is no ${asked}: this path takes ${allow}.`;
      return { code: "METHOD_NOT_ALLOWED", message, headers: { allow } };
    }
    return { code: "ROUTE_NOT_FOUND", message: `There is no route ${asked}. ${this.#advice(path)}` };
  }

  #advice(path: string): string {
    if (path !== controlPrefix && !path.startsWith(`${controlPrefix}/`))
      return "Paths are case-sensitive, end without a slash and begin with /api/v1/trading.";
    const below = this.#all
      .filter((one) => one.path.startsWith(`${controlPrefix}/`))
      .map((one) => one.path.slice(controlPrefix.length).replaceAll(/:([A-Za-z]+)/g, "{$1}"));
    if (below.length === 0)
      return `Nothing answers below ${controlPrefix} here: the control surface is off (gatewright serve --control).`;
    // Every control of a world is there for each world, too.
    const bare = below.filter(
      (one) => !(one.startsWith(ofWorld) && below.includes(one.slice(ofWorld.length))),
    );
    return `Below ${controlPrefix} there are ${[...new Set(bare)].sort().join(", ")}.`;
  }
}

const controlPrefix = "/__gatewright";
const ofWorld = "/worlds/{world}";

function matches(route: string, path: string): boolean {
  const segments = path.split("/");
  const known = route.split("/");
  const last = known.at(-1) === "*" ? known.length - 1 : known.length;
  return (
    (last < known.length ? segments.length > last : segments.length === last) &&
    known
      .slice(0, last)
      .every((name, at) => (name.startsWith(":") ? segments[at] !== "" : name === segments[at]))
  );
}
