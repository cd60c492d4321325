/** The field tables of "Resources and their fields", transcribed for the kit; each row names its clause. */
export type FieldKind =
  | "string"
  | "nonEmpty"
  | "decimal"
  | "date-time"
  | "boolean"
  | "uuid"
  | "objects"
  | "identifier"
  | "product-id";

export interface Field {
  readonly name: string;
  readonly clause: string;
  readonly kind: FieldKind | { readonly oneOf: readonly string[] };
  readonly required: boolean;
  readonly nullable: boolean;
}

export const sides = ["BUY", "SELL"] as const;
export const orderTypes = ["MARKET", "LIMIT", "TWAP", "BLOCK", "VWAP", "STOP_LIMIT", "RFQ", "PEG"] as const;
export const orderStatuses = ["OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED", "PENDING"] as const;
/** The statuses in which an order does not change any more. */
export const finalStatuses: readonly string[] = ["FILLED", "CANCELLED", "EXPIRED", "FAILED"];
export const failedOutcomes = [
  "EXTERNAL_EXECUTION_FAILED",
  "INTERNAL_EXECUTION_FAILED",
  "CLIENT_NOT_FOUND",
] as const;
export const resultTypes = ["NEW_ORDER", "DUPLICATE_REPLAY", ...failedOutcomes] as const;

const required = (clause: string, name: string, kind: Field["kind"]): Field => ({
  name,
  clause,
  kind,
  required: true,
  nullable: false,
});
/** Not in the list of required fields, so the field may be missing; its row says that it is never null. */
const present = (clause: string, name: string, kind: Field["kind"]): Field => ({
  name,
  clause,
  kind,
  required: false,
  nullable: false,
});
const nullable = (clause: string, name: string, kind: Field["kind"]): Field => ({
  name,
  clause,
  kind,
  required: false,
  nullable: true,
});

export const orderFields: readonly Field[] = [
  required("ORD-01", "id", "nonEmpty"),
  required("ORD-02", "productId", "string"),
  required("ORD-03", "side", { oneOf: sides }),
  required("ORD-04", "clientOrderId", "uuid"),
  required("ORD-05", "type", { oneOf: orderTypes }),
  required("ORD-06", "status", { oneOf: orderStatuses }),
  required("ORD-07", "synced", "boolean"),
  present("ORD-08", "createdAt", "date-time"),
  present("ORD-09", "updatedAt", "date-time"),
  nullable("ORD-10", "externalId", "identifier"),
  nullable("ORD-11", "userId", "string"),
  nullable("ORD-12", "portfolioId", "string"),
  nullable("ORD-13", "baseQuantity", "decimal"),
  nullable("ORD-14", "quoteValue", "string"),
  nullable("ORD-15", "limitPrice", "decimal"),
  nullable("ORD-16", "startTime", "date-time"),
  nullable("ORD-17", "expiryTime", "date-time"),
  nullable("ORD-18", "timeInForce", "string"),
  nullable("ORD-19", "filledQuantity", "decimal"),
  nullable("ORD-20", "filledValue", "decimal"),
  nullable("ORD-21", "averageFilledPrice", "decimal"),
  nullable("ORD-22", "commission", "string"),
  nullable("ORD-23", "exchangeFee", "string"),
  nullable("ORD-24", "historicalPov", "string"),
  nullable("ORD-25", "stopPrice", "string"),
  nullable("ORD-26", "netAverageFilledPrice", "string"),
  nullable("ORD-27", "userContext", "string"),
  nullable("ORD-28", "clientProductId", "string"),
  nullable("ORD-29", "postOnly", "boolean"),
  nullable("ORD-30", "orderEditHistory", "objects"),
  nullable("ORD-31", "isRaiseExact", "boolean"),
  nullable("ORD-32", "displaySize", "string"),
  nullable("ORD-33", "editHistory", "objects"),
  nullable("ORD-34", "displayQuoteSize", "string"),
  nullable("ORD-35", "displayBaseSize", "string"),
  nullable("ORD-36", "fees", "decimal"),
  nullable("ORD-37", "totalUserRecieveAmount", "string"),
];

/**
 * Rows of the product pair with plain types. The seven size fields are declared "object" and are judged separately
 * (AS-18).
 */
export const pairFields: readonly Field[] = [
  required("PRD-04", "id", "product-id"),
  required("PRD-05", "apiEnabled", "boolean"),
  present("PRD-06", "createdAt", "date-time"),
  present("PRD-06", "updatedAt", "date-time"),
  required("PRD-07", "base", "string"),
  required("PRD-07", "quote", "string"),
  present("PRD-08", "exchangeProductId", "string"),
];

export interface SizeField {
  readonly name: string;
  readonly clause: string;
  readonly required: boolean;
}

export const sizeFields: readonly SizeField[] = [
  { name: "exchangeMinSize", clause: "PRD-09", required: false },
  { name: "exchangeMaxSize", clause: "PRD-10", required: false },
  { name: "exchangeBaseIncrement", clause: "PRD-11", required: false },
  { name: "exchangeQuoteMinSize", clause: "PRD-12", required: false },
  { name: "exchangeQuoteMaxSize", clause: "PRD-13", required: false },
  { name: "minOrderSize", clause: "PRD-14", required: true },
  { name: "maxOrderSize", clause: "PRD-15", required: true },
];
