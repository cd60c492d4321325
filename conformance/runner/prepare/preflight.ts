import { shorten } from "../../check/describe.ts";
import type { Dialect } from "../../model/dialect.ts";
import { type Exchange, headerOf, isSuccess, textOf } from "../../model/exchange.ts";
import type { Difference } from "../../model/finding.ts";
import { Blocked, TargetUnusable } from "../../model/outcome.ts";
import { UsageError } from "../../model/position.ts";
import { printable } from "../../model/printable.ts";
import { didYouMean } from "../../model/suggest.ts";
import { isMap } from "../../model/value.ts";
import { plainPlan } from "../../signing/tamper.ts";
import { isWholeListing, type ListedPair, pairsIn } from "../send/listing.ts";
import type { Session } from "../session.ts";
import { asListed } from "./as-listed.ts";
import { probeDialects } from "./dialects.ts";
import { Market } from "./market.ts";
import { limitsOf } from "./order-limits.ts";
import { type Book, bookIn } from "./seen-prices.ts";

export interface Preflight {
  readonly market: Market;
  readonly notes: Readonly<Record<string, string>>;
}

/**
 * Checks before the first case that the target is reachable and accepts a correctly signed GET, and which products can
 * be traded. A target that refuses the golden request cannot be judged: all later failures would follow from it.
 */
export async function preflight(
  session: Session,
  dialects: () => Promise<readonly Dialect[]>,
): Promise<Preflight> {
  const first = await get(session, "openOrders");
  if (first.transport !== "response") {
    throw new TargetUnusable(
      `${session.profile.baseUrl.href} does not answer: ${first.problem ?? first.transport}`,
    );
  }
  const golden = await accepted(session, first, dialects);
  const listing = await get(session, "products");
  const pairs = pairsIn(listing.json);
  if (session.profile.onlyListed) {
    await fitTo(session, pairs);
  } else if (isWholeListing(listing.json)) assertListed(session, pairs);
  const unpriced = new Market(session.profile, pairs, new Map());
  const market = new Market(session.profile, pairs, await books(session, withBooks(unpriced)));
  session.parts.egress.rules = {
    listed: new Set(pairs.map(({ id }) => id)),
    far: (product, side) => market.farPrice(product, side),
    ...limitsOf(session.profile, market),
  };
  return { market, notes: notesOf(session, golden, market) };
}

/** The profile of many worlds becomes that of the one that answers. */
async function fitTo(session: Session, pairs: readonly ListedPair[]): Promise<void> {
  const stated = session.profile;
  const fitted = asListed(stated, pairs, await books(session, Object.keys(stated.safety.products)));
  if (fitted === stated) return;
  session.narrow(fitted);
  const isRefused = async (): Promise<boolean> =>
    (await get(session, "openOrders", {}, "?limit=1")).reply?.status === 401;
  if (!(await isRefused())) return;
  session.narrow({ ...fitted, auth: { ...fitted.auth, signedPath: "pathAndQuery" } });
  if (await isRefused()) session.narrow(fitted);
}

/** A product that does not exist is refused for another reason than a closed one, so its cases would show nothing. */
function assertListed({ profile: { facts } }: Session, pairs: readonly ListedPair[]): void {
  const stated = [
    ["facts.disabledProduct", facts["disabledProduct"]],
    ["facts.limits.product", isMap(facts["limits"]) ? facts["limits"]["product"] : undefined],
  ] as const;
  const known = pairs.map(({ id }) => id);
  for (const [key, product] of stated) {
    if (typeof product !== "string" || known.includes(product)) continue;
    const hint = didYouMean(product, known) ?? `it lists ${known.slice(0, 10).join(", ")}`;
    throw new UsageError(
      `the profile says ${key}: ${product}, and the target lists no such product: ${hint}. Correct the profile, or leave the fact out`,
    );
  }
}

/**
 * 401 means that the credentials were not accepted. 400 and 403 may have other reasons, so they end the run only if
 * another form of the signature is accepted. For a target with another clock the kit signs by that clock.
 */
async function accepted(
  session: Session,
  golden: Exchange,
  dialects: () => Promise<readonly Dialect[]>,
): Promise<Exchange> {
  const status = golden.reply?.status ?? 0;
  if (![400, 401, 403].includes(status)) return golden;
  const misreading = await probeDialects(session, golden, dialects);
  if (status !== 401 && misreading === undefined) return golden;
  if (misreading !== undefined && "clockOffsetMs" in misreading) {
    session.clockOffsetMs = misreading.clockOffsetMs;
    return get(session, "openOrders");
  }
  const body = textOf(golden.reply?.body ?? new Uint8Array());
  const said = printable(shorten(session.parts.redactor.redactStart(body, 200), 200));
  const canonical = (golden.request.signed?.canonical ?? "").replaceAll("\n", "\\n\n    ");
  const advice =
    misreading?.sentence ??
    "the target accepts no known signing mistake either: check key id, secret and the clock";
  for (const clause of misreading?.clauses ?? [])
    session.ambient.add({ exercised: [clause], differences: [proofOf(clause, status, advice)] }, golden);
  throw new TargetUnusable(
    `the first correctly signed request was refused with ${status}: ${said}\n  ${advice}\n  signed was:\n    ${canonical}`,
  );
}

/** The run ends here, but its report still names the broken clauses. */
function proofOf(clause: string, status: number, advice: string): Difference & { readonly clause: string } {
  const expected = "a correctly signed request is let in";
  return { clause, pointer: "signature", expected, actual: `refused with ${status}: ${advice}` };
}

/**
 * A few order books are enough to find prices: those of the liquid product, of the first products, of the spare one and
 * of the finest steps.
 */
function withBooks(market: Market): string[] {
  const candidates = market.candidates();
  if (candidates.length === 0) return [];
  const first = [...new Set([market.product("liquid"), ...candidates])].slice(0, 3);
  return [...new Set([...first, market.product("spare"), ...market.finest()])];
}

async function books(session: Session, products: readonly string[]): Promise<Map<string, Book>> {
  const found = new Map<string, Book>();
  const operation = session.profile.operations["orderBook"];
  if (typeof operation !== "object") return found;
  for (const product of products) {
    const exchange = await get(session, "orderBook", { product });
    if (!isSuccess(exchange)) continue;
    found.set(product, bookIn(exchange.json, operation));
  }
  return found;
}

async function get(
  session: Session,
  name: string,
  params: Readonly<Record<string, string>> = {},
  query = "",
): Promise<Exchange> {
  const operation = session.operation(name);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  try {
    return await session.ask(() =>
      session.prepare({
        operation: name,
        method: operation.method,
        target: session.parts.target.basePath + path + query,
        headers: [],
        body: new Uint8Array(),
        role: "trader",
        credential: session.credential("trader"),
        sign: plainPlan,
        mutation: {},
        clockOffsetMs: 0,
      }),
    );
  } catch (error) {
    if (error instanceof Blocked) throw new TargetUnusable(error.message);
    throw error;
  }
}

/** Facts about the target that explain later surprises; none of them is a verdict. */
function notesOf(session: Session, golden: Exchange, market: Market): Record<string, string> {
  const date = Date.parse(headerOf(golden.reply, "date") ?? "");
  const skew = Number.isNaN(date)
    ? "unknown (no Date header)"
    : `${Math.round((date - session.parts.now()) / 1000)} s${session.clockOffsetMs === 0 ? "" : ", and requests are signed by the target's clock"}`;
  return { clockSkew: skew, products: market.candidates().slice(0, 20).join(", ") || "none known" };
}
