import { isOrderRoute } from "../contract/order-route.ts";
import type { SentRequest } from "../model/exchange.ts";
import { isOurs, type Profile } from "../model/profile.ts";

/** Methods that change nothing. */
const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Where a request may go that changes something beyond this machine (docs/live-safety.md): to the route of an operation
 * that the specification or the profile names, or to one that the owner opens. A cancel is for an order of this run, or
 * for an id that this run has made up. The order guard checks what is placed.
 */
export function routeProblem(
  { method, path, body }: Pick<SentRequest, "method" | "path" | "body">,
  profile: Profile,
  isKnown: (id: string) => boolean,
): string | undefined {
  if (isOurs(profile) || reading.has(method)) return undefined;
  if (method === "POST" && isOrderRoute(method, path)) return undefined;
  const base = profile.baseUrl.pathname;
  const cancel = profile.operations["cancelOrder"];
  const cancelled = typeof cancel === "object" ? named(method, path, base, cancel) : undefined;
  if (cancelled !== undefined)
    return cancelled.every(isKnown)
      ? undefined
      : `${cancelled.join(", ")} is no order of this run: beyond this machine the kit cancels no other`;
  const operations = Object.values(profile.operations).filter((one) => typeof one === "object");
  if (operations.some((one) => named(method, path, base, one) !== undefined)) return undefined;
  const isOpened = profile.safety.paths.some((route) => {
    const [allowed = "", template = ""] = route.split(" ");
    return named(method, path, base, { method: allowed, path: template }) !== undefined;
  });
  // A wrong method on the route of a read, which a body could give a meaning.
  const isMistaken =
    ["POST", "PUT", "PATCH"].includes(method) &&
    body.length === 0 &&
    operations.some((one) => named("GET", path, base, one) !== undefined);
  if (isOpened || isMistaken) return undefined;
  return `${method} ${withoutBase(path, base)} is no operation of the specification or of the profile: map it, or open it with safety.paths: ['${method} ${withoutBase(path, base)}']`;
}

/** The parameters of a path that fits the template of a route; undefined if it does not fit. */
function named(
  method: string,
  path: string,
  base: string,
  route: { readonly method: string; readonly path: string },
): readonly string[] | undefined {
  if (method !== route.method) return undefined;
  const pattern = route.path
    .split(/(\{\w+\})/)
    .map((part) => (/^\{\w+\}$/.test(part) ? "([^/?&=#]+)" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("");
  const rest = route.path.includes("?") ? "(?:&.*)?" : "(?:\\?.*)?";
  const found = new RegExp(`^${pattern}${rest}$`).exec(withoutBase(path, base));
  return found?.slice(1).map(decoded);
}

const withoutBase = (path: string, base: string): string =>
  path.startsWith(`${base}/`) ? path.slice(base.length) : `/${path}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
