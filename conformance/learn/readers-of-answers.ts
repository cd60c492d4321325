/** Freedoms of the form of answers: records, lists, errors, headers. */
import { resolvePointer } from "../check/pointer.ts";
import { orderFields, pairFields, sizeFields } from "../contract/fields.ts";
import { headerOf, textOf } from "../model/exchange.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { isOk, reader, readerOfEach, status, untold } from "./reader.ts";
import type { Reader, Sample } from "./sighting.ts";

/** Answers that show an order of ours. */
const withOrders = ["order: placed", "order: listed", "order: read later", "zeros: placed"];
const noOrder = untold("no order was shown");
const times = ["createdAt", "updatedAt"];
const nullable = orderFields.filter((field) => field.nullable).map(({ name }) => name);
const knownOfOrders = orderFields.map(({ name }) => name);
const knownOfPairs = [...pairFields, ...sizeFields].map(({ name }) => name);

const ofOrders = (freedom: string, judge: (order: JsonObject) => ReturnType<typeof untold>): Reader =>
  readerOfEach(freedom, withOrders, ({ order }) => (order === undefined ? noOrder : judge(order)));

function timestampOutput(order: JsonObject) {
  const shown = times.map((name) => order.get(name)).filter((value) => typeof value === "string");
  if (shown.length === 0) return untold("no times were shown");
  const kinds = new Set(shown.map(kindOfTime));
  const [kind] = kinds;
  return kind !== undefined && kinds.size === 1
    ? { option: kind, evidence: `times are written ${shown[0]}` }
    : untold(`times are written ${shown.join(" and ")}`);
}

function kindOfTime(time: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) return "milliseconds-utc";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) ? "whole-seconds" : "other";
}

function nullFields(order: JsonObject) {
  const absent = nullable.filter((name) => order.get(name) === undefined);
  const nulls = nullable.filter((name) => order.get(name) === null);
  if (absent.length === 0 && nulls.length > 0)
    return { option: "null", evidence: `${nulls.length} fields are null, and none is left out` };
  return nulls.length === 0 && absent.length > 0
    ? { option: "left-out", evidence: `no field is null, and ${absent.length} are left out` }
    : untold(`${nulls.length} fields are null, and ${absent.length} are left out`);
}

/** Extra fields show themselves; that there are none is told of records that have all fields of the document. */
function extraFields(record: JsonObject, known: readonly string[], what: string) {
  const extra = [...record.entries.keys()].filter((name) => !known.includes(name));
  if (extra.length > 0)
    return { option: "additive", evidence: `${what} has ${extra.slice(0, 3).join(", ")}`.slice(0, 120) };
  const absent = known.filter((name) => record.get(name) === undefined);
  return absent.length === 0
    ? { option: "closed", evidence: `${what} has exactly the fields of the document` }
    : untold(`${what} lacks ${absent.length} fields of the document`);
}

const pairsOf = ({ exchange }: Sample): JsonObject[] => {
  const groups = resolvePointer(exchange.json, "#/data");
  return (isArray(groups) ? groups : []).flatMap((group) => {
    const inner = group instanceof JsonObject ? group.get("availablePairs") : undefined;
    return (isArray(inner) ? inner : []).filter((pair) => pair instanceof JsonObject);
  });
};
const idsOf = (records: readonly JsonObject[], key: string): string[] =>
  records.flatMap((record) => [record.get(key)].filter((value) => typeof value === "string"));
const isSorted = (texts: readonly string[]): boolean =>
  texts.every((one, index) => index === 0 || (texts[index - 1] ?? "") <= one);

function productOrder(products: Sample) {
  const data = resolvePointer(products.exchange.json, "#/data");
  const groups = (isArray(data) ? data : []).filter((group) => group instanceof JsonObject);
  const lists = [idsOf(groups, "name"), ...groups.map((group) => idsOf(pairsIn(group), "id"))];
  const evidence = `groups are ${lists[0]?.join(", ").slice(0, 100)}`;
  if (!lists.every(isSorted)) return { option: "unsorted", evidence };
  const places = lists.reduce((sum, { length }) => sum + Math.max(0, length - 1), 0);
  return places >= 3
    ? { option: "sorted", evidence }
    : untold("too few products to tell an order from chance");
}

function pairsIn(group: JsonObject): JsonObject[] {
  const pairs = group.get("availablePairs");
  return (isArray(pairs) ? pairs : []).filter((pair) => pair instanceof JsonObject);
}

function sizeShape(products: Sample) {
  const sizes = pairsOf(products).flatMap((pair) => sizeFields.map(({ name }) => pair.get(name)));
  const kinds = new Set(sizes.filter((size) => size !== undefined && size !== null).map(kindOfSize));
  const [kind] = kinds;
  return kind !== undefined && kinds.size === 1
    ? { option: kind, evidence: `sizes of pairs are of the kind ${kind}` }
    : untold(`sizes of pairs are of ${kinds.size} kinds`);
}

function kindOfSize(size: Json): string {
  if (size instanceof JsonObject) return "object";
  return size instanceof JsonNumber ? "number" : "string";
}

function openOrdersShape(listed: Sample) {
  const data = resolvePointer(listed.exchange.json, "#/data");
  if (isArray(data)) return { option: "array", evidence: "data is an array" };
  if (!(data instanceof JsonObject)) return untold("data is neither array nor object");
  const inner = [...data.entries].filter(([, value]) => isArray(value)).map(([key]) => key);
  if (inner.length !== 1) return untold(`data is an object with ${inner.length} arrays`);
  const option = /"[a-z]*cursor"/i.test(textOf(listed.exchange.reply?.body ?? new Uint8Array()))
    ? "paged"
    : "object";
  return {
    option,
    evidence: `data is an object with the array ${inner.join()}, ${option === "paged" ? "and a cursor" : "without a cursor"}`,
  };
}

function errorBody({ exchange }: Sample) {
  const type = headerOf(exchange.reply, "content-type") ?? "";
  const { json } = exchange;
  if (json === undefined)
    return /^text\/plain/i.test(type)
      ? { option: "plain-text", evidence: type }
      : untold(`an error is ${type}`);
  const has = (...names: string[]) =>
    json instanceof JsonObject && names.every((name) => json.get(name) !== undefined);
  const evidence =
    json instanceof JsonObject ? `an error has ${[...json.entries.keys()].join(", ").slice(0, 100)}` : "";
  if (/problem\+json/i.test(type) && has("title")) return { option: "problem", evidence };
  if (has("statusCode", "success", "message")) return { option: "mirrored", evidence };
  return has("statusCode", "message", "error") ? { option: "framework", evidence } : untold(evidence);
}

function errorCodes({ exchange: { json } }: Sample) {
  if (!(json instanceof JsonObject)) return untold("the error is no JSON object");
  const code = json.get("code");
  if (typeof code === "string") return { option: "words", evidence: `code ${code.slice(0, 40)}` };
  if (code instanceof JsonNumber) return { option: "numbers", evidence: `code ${code.lexeme.slice(0, 20)}` };
  const others = [...json.entries.keys()].filter((name) => /code/i.test(name) && name !== "statusCode");
  return others.length === 0
    ? { option: "none", evidence: `an error has ${[...json.entries.keys()].join(", ").slice(0, 100)}` }
    : untold(`an error has ${others.join(", ").slice(0, 100)}`);
}

function bookRecord({ exchange: { json }, note }: Sample) {
  const levels = (note ?? "").split(" ").map((pointer) => resolvePointer(json, pointer));
  const firsts = levels.flatMap((side) => (isArray(side) ? side.slice(0, 1) : []));
  if (firsts.length === 0) return untold("the book is empty");
  if (firsts.every((level) => level instanceof JsonObject))
    return { option: "named-levels", evidence: "levels of the book are objects" };
  return firsts.every(isArray)
    ? { option: "pairs", evidence: "levels of the book are arrays" }
    : untold("levels differ");
}

const sizesOf: Readonly<Record<string, number>> = {
  "64-kib": 65_536,
  "100-kib": 102_400,
  "1-mib": 1_048_576,
};

export const readersOfAnswers: readonly Reader[] = [
  ofOrders("F-timestamp-output", timestampOutput),
  ofOrders("F-order-null-fields", nullFields),
  ofOrders("F-order-times", (order) => {
    const shown = times.filter((name) => typeof order.get(name) === "string");
    if (shown.length === times.length)
      return { option: "shown", evidence: "createdAt and updatedAt are shown" };
    return times.every((name) => order.get(name) === undefined)
      ? { option: "left-out", evidence: "createdAt and updatedAt are left out" }
      : untold("one of the two is shown");
  }),
  ofOrders("F-external-id-shape", (order) => {
    const id = order.get("externalId");
    if (typeof id === "string") return { option: "string", evidence: "externalId is a string" };
    return id instanceof JsonObject
      ? { option: "object", evidence: "externalId is an object" }
      : untold("externalId is null or left out");
  }),
  ofOrders("F-time-in-force", (order) => {
    const value = order.get("timeInForce");
    if (value === "GOOD_UNTIL_CANCELLED") return { option: "by-type", evidence: `timeInForce is ${value}` };
    return value === null
      ? { option: "null", evidence: "timeInForce is null" }
      : untold("timeInForce is another word, or left out");
  }),
  ofOrders("F-zero-fill-values", (order) => {
    const [filled, average] = [order.get("filledQuantity"), order.get("averageFilledPrice")];
    if (typeof filled === "string" && /^0(?:\.0+)?$/.test(filled) && average === null)
      return { option: "zero", evidence: `filledQuantity is ${filled}, averageFilledPrice is null` };
    return filled === null && average === null
      ? { option: "null", evidence: "filledQuantity and averageFilledPrice are null" }
      : untold("the values of an order without fills fit no option, or are left out");
  }),
  {
    freedom: "F-extra-response-fields",
    read: (round) => [
      ...ofOrders("F-extra-response-fields", (order) => extraFields(order, knownOfOrders, "an order")).read(
        round,
      ),
      ...reader("F-extra-response-fields", ["products: signed"], (products) => {
        const [pair] = pairsOf(products);
        const extra = pair === undefined ? noOrder : extraFields(pair, knownOfPairs, "a pair");
        // Pairs lack nothing that would be told of, so they show extra fields only.
        return typeof extra === "object" && "option" in extra && extra.option === "closed" ? noOrder : extra;
      }).read(round),
    ],
  },
  readerOfEach("F-json-layout", ["order: placed", "products: signed"], ({ exchange }) => {
    const body = textOf(exchange.reply?.body ?? new Uint8Array()).trim();
    if (!(exchange.json instanceof JsonObject)) return untold("the answer is no JSON object");
    return body.includes("\n")
      ? { option: "indented", evidence: "answers have several lines" }
      : { option: "compact", evidence: "answers are one line" };
  }),
  readerOfEach("F-envelope-optional-keys", ["order: placed", "products: signed", "get: signed"], (one) => {
    const { json } = one.exchange;
    if (!isOk(one) || !(json instanceof JsonObject)) return untold("the answer is no success");
    const absent = ["message", "data"].filter((name) => json.get(name) === undefined);
    return absent.length === 0
      ? { option: "always", evidence: "a success has message and data" }
      : { option: "when-useful", evidence: `a success lacks ${absent.join(" and ")}` };
  }),
  readerOfEach("F-connection-reuse", ["get: signed", "products: signed", "order: placed"], (one) => {
    if (!isOk(one)) return untold("the answer is no success");
    const header = headerOf(one.exchange.reply, "connection") ?? "";
    const option = /\bclose\b/i.test(header) ? "closed" : "kept";
    return {
      option,
      evidence: header === "" ? "answers have no Connection header" : `Connection: ${header.slice(0, 40)}`,
    };
  }),
  reader("F-open-orders-shape", ["order: listed"], openOrdersShape),
  reader("F-size-field-shape", ["products: signed"], sizeShape),
  reader("F-product-order", ["products: signed"], productOrder),
  reader("F-disabled-pairs-listed", ["products: signed"], (products) =>
    pairsOf(products).some((pair) => pair.get("apiEnabled") === false)
      ? { option: "listed", evidence: "a pair with apiEnabled false is listed" }
      : untold("no pair with apiEnabled false is listed; whether one exists is not known"),
  ),
  reader("F-order-book-record", ["book: read"], bookRecord),
  reader("F-error-body", ["empty: signed"], (one) =>
    status(one) === 400 ? errorBody(one) : untold("it was not refused with 400"),
  ),
  reader("F-error-codes", ["empty: signed"], (one) =>
    status(one) === 400 ? errorCodes(one) : untold("it was not refused with 400"),
  ),
  reader("F-request-size", ["body-size: limit"], ({ between }) => {
    const option = Object.keys(sizesOf).find(
      (id) => between?.low === sizesOf[id] && between?.high === (sizesOf[id] ?? 0) + 1,
    );
    return option ?? untold("the largest body is of none of the sizes that are tried");
  }),
  reader("F-answer-delay", ["delay: reads"], ({ between }) => {
    if (between === undefined)
      return untold("only on this machine is an answer quick enough to tell a delay");
    if (between.high < 4) return "none";
    return between.low > 60 && between.high > 180 && between.high < 215
      ? "200"
      : untold("the times of answers fit no option");
  }),
];
