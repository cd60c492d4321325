import type { Call, SignMapping, WrittenStep } from "../model/language.ts";
import type { Profile } from "../model/profile.ts";
import { canonicalOrder } from "../signing/canonical-request.ts";
import { signatureHeaders } from "../signing/sign-request.ts";
import type { Tuple } from "./covering-array.ts";
import type { Plan, Situation } from "./property.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { call, demanding, type Judged } from "./templates.ts";

/** Routes that create, change or show orders: every value is tried in every form. */
const ofOrders = ["openOrders", "placeOrder", "cancelOrder", "readOrder", "handshake"];
const ofOthers = ["listOrders", "products", "orderBook", "assets", "wallets", "account", "deposits"];
const places = ["line", "header", "both"];
const forms = ["left out", "empty", "constant", "in another form"];

/**
 * P-41: a request with a mistake in its credentials is refused on every route.
 * Table: a value (the six signed values, the key id, the digest); the mistake: its line, its header or both are left
 * out, empty, constant or in another form; route, query and body; and the key. On routes of orders every mistake of
 * every value is tried, and every mistake is tried on every route. A request has one mistake at most, and without any
 * it is accepted.
 * Oracle: 401. A read or a cancel with a body may be refused for that, with any 4xx. Market data may need no signature,
 * so there the oracle is a `should`. Safety: the body of a placement is not a valid order, and the order of a cancel
 * does not exist.
 */
const table: Table = {
  id: "P-41",
  title: "A mistake in the credentials of a request is refused on every route",
  spec: [
    "AUTH-01",
    "AUTH-02",
    "AUTH-03",
    "AUTH-04",
    "AUTH-05",
    "AUTH-06",
    "AUTH-07",
    "AUTH-08",
    "AUTH-11",
    "AUTH-12",
    "AUTH-13",
    "AUTH-14",
    "AUTH-15",
    "AUTH-16",
    "AUTH-17",
    "AUTH-18",
    "AUTH-19",
    "AUTH-20",
    "AUTH-22",
    "AUTH-24",
    "AUTH-31",
    "AUTH-34",
    "EVT-02",
    "EVT-04",
  ],
  safety: "reject-only",
  cost: { requests: 2, orders: 1 },
  staging: 40,
  dimensions: {
    value: ["none", "signature", "keyId", ...canonicalOrder],
    mistake: ["none", ...places.flatMap((place) => forms.map((form) => `${place} ${form}`))],
    route: [...ofOrders, ...ofOthers],
    query: ["without", "with"],
    body: ["without", "with"],
    key: ["good", "unknown", "disabled", "secret of another client", "secret of another key", "empty secret"],
  },
  strength: 2,
  closer: ofOrders.map((route) => ({ route })),
  cannot: ({ value = "", mistake = "", route, query, body, key }) => {
    if ((value === "none") !== (mistake === "none")) return "a mistake needs a value";
    if (value !== "none" && key !== "good") return "with two mistakes, either one explains the refusal";
    if (value !== "none" && mistakes[value]?.[mistake] === undefined) return noMistake(value);
    if (route === "handshake" && body === "with") return "a handshake has no body";
    if (route === "handshake" && query === "with") return "the query of a handshake comes from the profile";
    if (value !== "none" || key !== "good") return undefined;
    if (route === "cancelOrder") return "a correctly signed request would cancel";
    if (body === "with" && route !== "placeOrder") return "an unexpected body may be refused";
    return query === "with" ? "whether a query is signed is open (F-signed-path)" : undefined;
  },
  lacks: ({ route = "", key = "" }, situation) => {
    const operation = situation.profile.operations[route];
    if (route !== "handshake" && typeof operation !== "object") return `${route} is not mapped`;
    if (typeof operation === "object" && operation.auth === "none") return `${route} needs no signature`;
    if (key === "secret of another key" && roleFor(key, situation.profile) === undefined)
      return "the profile names no second key of the trader's client";
    return missing(situation, {
      capabilities: route === "handshake" ? ["ws"] : [],
      credentials: [roleFor(key, situation.profile) ?? "trader"],
    });
  },
  plan: planOf,
};

export const authentication = tableProperty(table);

function noMistake(value: string): string {
  if (value === "signature" || value === "keyId") return "it is a header and not a line";
  if (value === "nonce") return "any text may be a valid nonce (F-nonce-format)";
  if (value === "contentType") return "the meaning of another Content-Type is open (F-content-type-line)";
  return "it has no header of its own";
}

interface Where {
  readonly body: boolean;
  readonly method: string;
  /** The prefix that all paths begin with. */
  readonly prefix: string;
}

/** The change of the signature, and the clause that requires the refusal. */
type Wrong = readonly [sign: SignMapping, clause: string];
type Mistakes = Readonly<Record<string, (where: Where) => Wrong>>;

const nil = "00000000-0000-0000-0000-000000000000";
const sent = (name: keyof typeof signatureHeaders, text: string): SignMapping => ({
  headers: { set: { [signatureHeaders[name]]: text } },
});
const unsent = (name: keyof typeof signatureHeaders): SignMapping => ({
  headers: { omit: [signatureHeaders[name]] },
});
const unsigned = (part: string): SignMapping => ({
  override: { order: canonicalOrder.filter((one) => one !== part) },
});

/** A value that has a line: `right` is the correct value of its header. */
function ofLine(
  part: string,
  clause: (where: Where) => string,
  constant: (where: Where) => string,
  [form, clauseOfForm = clause]: readonly [string, ((where: Where) => string)?],
  right: SignMapping = {},
): Mistakes {
  const over = (text: string): SignMapping => ({ override: { [part]: text }, ...right });
  return {
    "line left out": (where) => [unsigned(part), clause(where)],
    "line empty": (where) => [over(""), clause(where)],
    "line constant": (where) => [over(constant(where)), clause(where)],
    "line in another form": (where) => [over(form), clauseOfForm(where)],
  };
}

/** A value that has a header: left out or empty it is missing, otherwise it differs from the signed value. */
function ofHeader(
  name: keyof typeof signatureHeaders,
  [absent, other]: readonly [string, string],
  constant: string,
  [form, clauseOfForm = other]: readonly [SignMapping, string?],
): Mistakes {
  return {
    "header left out": () => [unsent(name), absent],
    "header empty": () => [sent(name, ""), absent],
    "header constant": () => [sent(name, constant), other],
    "header in another form": () => [form, clauseOfForm],
  };
}

const always = (clause: string) => () => clause;
const clauseOfHash = ({ body }: Where): string => (body ? "AUTH-18" : "AUTH-20");

const mistakes: Readonly<Record<string, Mistakes>> = {
  signature: ofHeader("signature", ["AUTH-04", "AUTH-24"], "0".repeat(64), [
    { transform: ["base64"] },
    "AUTH-22",
  ]),
  keyId: ofHeader("keyId", ["AUTH-01", "AUTH-05"], "key", [{ override: { keyId: "otherCase" } }]),
  timestamp: {
    ...ofLine("timestamp", always("AUTH-12"), always("0"), ["seconds"], sent("timestamp", "${now}")),
    ...ofHeader("timestamp", ["AUTH-02", "AUTH-12"], "0", [{ mutateAfterSign: { timestamp: "seconds" } }]),
    "both left out": () => [{ ...unsigned("timestamp"), ...unsent("timestamp") }, "AUTH-02"],
    "both empty": () => [{ override: { timestamp: "" } }, "AUTH-02"],
    "both constant": () => [{ override: { timestamp: "0" } }, "AUTH-31"],
    "both in another form": () => [{ override: { timestamp: "iso" } }, "AUTH-11"],
  },
  nonce: {
    ...ofLine("nonce", always("AUTH-13"), always(nil), ["upper(${id.nonce})"], sent("nonce", "${id.nonce}")),
    ...ofHeader("nonce", ["AUTH-03", "AUTH-13"], nil, [{ mutateAfterSign: { nonce: "upper" } }]),
    "both left out": () => [{ ...unsigned("nonce"), ...unsent("nonce") }, "AUTH-03"],
    "both empty": () => [{ override: { nonce: "" } }, "AUTH-03"],
  },
  method: ofLine("method", always("AUTH-14"), ({ method }) => (method === "GET" ? "POST" : "GET"), [
    "lower",
    always("AUTH-15"),
  ]),
  path: ofLine("path", always("AUTH-16"), ({ prefix }) => prefix, ["upper"]),
  contentType: ofLine("contentType", always("AUTH-17"), always("application/octet-stream"), [
    "application/json; charset=utf-8",
  ]),
  bodyHash: ofLine("bodyHash", clauseOfHash, ({ body }) => (body ? "sha256()" : "sha256({})"), [
    "upper",
    always("AUTH-19"),
  ]),
};

/** Keys that open nothing, with any signature. */
const keys: Readonly<Record<string, Wrong>> = {
  unknown: [{ override: { keyId: "${id.stranger}" } }, "AUTH-05"],
  disabled: [{}, "AUTH-34"],
  "secret of another client": [{ override: { keyId: "${good.request.keyId}" } }, "AUTH-06"],
  "secret of another key": [{ override: { keyId: "${good.request.keyId}" } }, "AUTH-06"],
  "empty secret": [{ override: { secret: "" } }, "AUTH-06"],
};
const roleOf: Readonly<Record<string, string>> = {
  disabled: "revoked",
  "secret of another client": "otherClient",
};

/** The role whose secret signs, if it is not the trader's. */
function roleFor(key: string, { credentials }: Profile): string | undefined {
  if (key !== "secret of another key") return roleOf[key];
  const { trader } = credentials;
  return Object.values(credentials).find(
    ({ role, client, secret }) =>
      client === trader?.client && secret !== trader?.secret && role !== "revoked" && role !== "trader",
  )?.role;
}

/** Parts of clauses that are only recommended, and clauses that a handshake shows less clearly than a request. */
const isAdvice = (clause: string, { body }: Where): boolean =>
  clause === "AUTH-20" || clause === "AUTH-22" || (clause === "AUTH-17" && !body);
const ofRequests = ["AUTH-11", "AUTH-15", "AUTH-19", "AUTH-31"];
const ofTheMarket = ["products", "orderBook"];

function planOf(tuple: Tuple, { profile }: Situation): Plan {
  const { value = "", mistake = "", route = "", query, body, key = "" } = tuple;
  const operation = profile.operations[route];
  const where = {
    body: body === "with",
    method: typeof operation === "object" ? operation.method : "GET",
    prefix: profile.baseUrl.pathname,
  };
  const wrong = mistakes[value]?.[mistake]?.(where) ?? keys[key];
  const role = roleFor(key, profile);
  const signed = {
    ...(role === undefined ? {} : { as: role }),
    ...(wrong === undefined ? {} : { sign: wrong[0] }),
  };
  const judged = wrong === undefined ? letIn(route, where) : turnedAway(route, wrong[1], where);
  const asked: WrittenStep =
    route === "handshake"
      ? { id: "asked", ws: { connect: { ...signed, settle: "2s" } }, ...judged }
      : call("asked", route, { ...signed, ...aimed(route), ...parts(query === "with", where.body) }, judged);
  const good = call("good", "openOrders", {}, { spec: ["AUTH-07"], expect: { status: "2xx" } });
  return {
    vars: { now: { $now: "ms" }, product: { $product: "tradable" } },
    steps: key.startsWith("secret of another") ? [good, asked] : [asked],
  };
}

/** An order or a product for a path that needs one. The order does not exist. */
function aimed(route: string): Call {
  if (route === "cancelOrder" || route === "readOrder") return { params: { id: "${id.nobody}" } };
  return route === "orderBook" ? { params: { product: "${product}" } } : {};
}

const parts = (query: boolean, body: boolean): Call => ({
  ...(query ? { query: [["limit", "1"]] } : {}),
  ...(body ? { body: { side: "NEITHER" } } : {}),
});

function letIn(route: string, { method }: Where): Judged {
  if (route === "handshake") return { spec: ["EVT-02"], expect: { status: 101 } };
  return { spec: [method === "POST" ? "AUTH-08" : "AUTH-07"], expect: { status: { $not: 401 } } };
}

function turnedAway(route: string, clause: string, where: Where): Judged {
  const advice =
    ofTheMarket.includes(route) ||
    isAdvice(clause, where) ||
    (route === "handshake" && ofRequests.includes(clause));
  const strength = advice ? "should" : "expect";
  if (route === "handshake") return { spec: ["EVT-04"], ...demanding(strength, { $macro: "turnedAway" }) };
  const open = where.body && route !== "placeOrder";
  return { spec: [clause], ...demanding(strength, open ? { status: "4xx" } : { $macro: "unauthorized" }) };
}
