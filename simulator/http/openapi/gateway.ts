/** The routes of the gateway in its document: claims, ids in paths, examples and refusals. */
import type { ClaimTable } from "../../auth/claims.ts";
import { invariant } from "../../domain/invariant.ts";
import { assetSymbol, productIdPattern, type Schema } from "../../schema/fields.ts";
import { type ErrorCode, errorStatus, reasons } from "../errors.ts";
import type { Route } from "../route.ts";
import type { Description, DocumentStyle, PathParameter } from "./document.ts";
import { orderOutcomes, records, requests } from "./examples.ts";
import type { RecordIds } from "./record-ids.ts";
import { isTradingCode, refusalTexts, type TradingCode } from "./refusal-texts.ts";
import { type Node, type RefusalStyle, refusalExample, type Shown, sharedResponses } from "./responses.ts";

export function describeRoute(route: Route, claims: ClaimTable): Description {
  const { method, path, tag, description, body, answer, message = "OK" } = route;
  const accepted = claims.get(`${method} ${path}`);
  invariant(accepted !== undefined && accepted !== null, `${method} ${path} has no claim`);
  const claim = `Claim: ${accepted.map((name) => `\`${name}\``).join(" or ")}.`;
  const { schema, status = 200 } = answer;
  const name = componentOf(schema.items ?? schema);
  const data = schema.items === undefined ? records[name] : [records[name]];
  return {
    tag,
    description: description === undefined ? claim : `${description}\n\n${claim}`,
    more: { "x-claims": accepted },
    bodies: requests[componentOf(body?.shape)] ?? {},
    done: reasons[status] ?? "Success",
    examples: name === "OrderResult" ? orderOutcomes : { [name]: { message, data } },
    refusals: refusalsOf(route),
  };
}

/** The name in a reference to a component. */
const componentOf = ({ $ref = "" }: Schema = {}): string => $ref.slice($ref.lastIndexOf("/") + 1);

const ofPath: Readonly<Record<string, PathParameter>> = {
  product: {
    description: "Trading pair, `<BASE>-<QUOTE>`; letter case counts.",
    schema: { type: "string", pattern: productIdPattern },
    example: "BTC-USD",
  },
  symbol: {
    description: "Asset symbol; letter case counts.",
    schema: { type: "string", pattern: assetSymbol },
    example: "BTC",
  },
  id: {
    description: "Id of the record, as the venue gave it.",
    schema: { type: "string", format: "uuid" },
  },
};

const signedCodes: readonly TradingCode[] = [
  "MISSING_CREDENTIALS",
  "INVALID_API_KEY",
  "INVALID_TIMESTAMP",
  "TIMESTAMP_OUT_OF_WINDOW",
  "INVALID_NONCE",
  "NONCE_REUSED",
  "INVALID_SIGNATURE",
  "UNAUTHORIZED",
  "MISSING_CLAIM",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "NOT_READY",
  "MAINTENANCE",
  "OUTCOME_UNKNOWN",
];
const bodyCodes: readonly TradingCode[] = [
  "MALFORMED_JSON",
  "JSON_NOT_ACCEPTED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

/** On a read the product is part of the address: an unknown one is 404 there (F-unknown-product). */
export const statusOn = (method: Route["method"], code: ErrorCode): number =>
  code === "PRODUCT_NOT_FOUND" && method === "GET" ? 404 : errorStatus[code];

const shownAs = (code: ErrorCode, status: number): Shown[] =>
  isTradingCode(code) ? [{ code, status, path: "/api/v1/trading/order", ...refusalTexts[code] }] : [];

function refusalsOf({ method, refusals, body }: Route): Shown[] {
  const ofBody: readonly TradingCode[] = body === undefined ? ["UNEXPECTED_BODY"] : bodyCodes;
  const codes: readonly ErrorCode[] = [...refusals, "INVALID_QUERY", ...ofBody, ...signedCodes];
  return codes.flatMap((code) => shownAs(code, statusOn(method, code)));
}

const exampleName = ({ code, status }: Shown): string =>
  errorStatus[code] === status ? code : `${code}_${status}`;

const refusalStyle: RefusalStyle = {
  shared: {
    401: "Unauthorized",
    413: "PayloadTooLarge",
    415: "UnsupportedMediaType",
    429: "TooManyRequests",
    500: "InternalError",
    503: "Unavailable",
  },
  signed: true,
  example: (shown) => ({ $ref: `#/components/examples/${exampleName(shown)}` }),
};

export const styleWith = (ids: RecordIds): DocumentStyle => ({
  ...refusalStyle,
  parameter: (name, before) => {
    const known = ofPath[name];
    invariant(known !== undefined, `nothing is known about the path parameter ${name}`);
    return { example: ids[before], ...known };
  },
  schema: (shape) => shape,
});

/** Refusals of an unsigned probe: the rules of HTTP itself. */
const probeCodes: readonly TradingCode[] = ["MALFORMED_REQUEST", "DUPLICATE_HEADER", "UNEXPECTED_BODY"];
export const probeRefusals: readonly Shown[] = probeCodes.flatMap((code) => shownAs(code, 400));
export const probeStyle: RefusalStyle = { ...refusalStyle, signed: false };

export function gatewayResponses(): Node {
  return sharedResponses(
    refusalStyle,
    [...signedCodes, ...bodyCodes].flatMap((code) => shownAs(code, errorStatus[code])),
  );
}

/** One example for each code and status that some operation has. */
export function refusalExamples(routes: readonly Route[]): Node {
  const all = [...routes.flatMap(refusalsOf), ...probeRefusals];
  const named = new Map(all.map((shown) => [exampleName(shown), refusalExample(shown)]));
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}
