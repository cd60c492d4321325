import { type PastedHttp, splitUrl, unreadable } from "./pasted-http.ts";

/** An entry of a HAR file, its `request` alone, or a file with one signed entry. */
export function harRequest(text: string): PastedHttp {
  const entry = entryIn(parsed(text));
  const request = objectOf(entry["request"] ?? entry);
  const { method, url, headers, postData } = request;
  if (typeof method !== "string" || typeof url !== "string" || !Array.isArray(headers))
    throw unreadable("a HAR entry has request.method, request.url and request.headers, and this has not");
  const { host, target } = splitUrl(url);
  const pairs = headers.map((header): readonly [string, string] => {
    const { name, value } = objectOf(header);
    return [String(name), String(value)];
  });
  const { text: body = "" } = objectOf(postData ?? {});
  return { method, target, headers: [...pairs, ["Host", host]], body: Buffer.from(String(body), "utf8") };
}

type Members = Readonly<Record<string, unknown>>;

function parsed(text: string): Members {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    throw unreadable("it begins like JSON and is none: copy the whole entry of the HAR file");
  }
}

/** The one signed entry of a whole file. */
function entryIn(json: Members): Members {
  if (json["log"] === undefined) return json;
  const { entries } = objectOf(json["log"]);
  const all = Array.isArray(entries) ? entries.map(objectOf) : [];
  const signed = all.filter(isSigned);
  const [only] = signed;
  if (only === undefined || signed.length > 1)
    throw unreadable(`the HAR file has ${signed.length} signed requests: paste one of its entries`);
  return only;
}

function isSigned(entry: Members): boolean {
  const { headers } = objectOf(entry["request"]);
  return (
    Array.isArray(headers) &&
    headers.some((header) => String(objectOf(header)["name"]).toLowerCase() === "x-api-signature")
  );
}

// as: every member is checked where it is used.
const objectOf = (value: unknown): Members =>
  typeof value === "object" && value !== null ? (value as Members) : {};
