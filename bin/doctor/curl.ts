import { type PastedHttp, splitUrl, unreadable } from "./pasted-http.ts";
import { shellWords } from "./shell-words.ts";

/** Options of curl with a value that no signature depends on. */
const otherValues = new Set(
  "-o --output -u --user -A --user-agent -m --max-time -b --cookie -c --cookie-jar -e --referer -w --write-out -x --proxy -D --dump-header --connect-timeout --retry --retry-delay --resolve --cacert --cert --key -E".split(
    " ",
  ),
);
const data = new Set("-d --data --data-raw --data-binary --data-ascii --json".split(" "));

export function curlRequest(text: string): PastedHttp {
  const words = optionsIn(shellWords(text.replace(/^\$ /, "")).slice(1));
  const headers: (readonly [string, string])[] = [];
  const bodies: string[] = [];
  let [method, url, type]: (string | undefined)[] = [];
  for (const { option, value } of words) {
    if (option === "-X" || option === "--request") method = value;
    else if (option === "-H" || option === "--header") headers.push(headerIn(value));
    else if (option === "-I" || option === "--head") method ??= "HEAD";
    else if (option === "-G" || option === "--get")
      throw unreadable("curl -G moves the data into the query: paste the address with its query instead");
    else if (data.has(option)) {
      bodies.push(dataIn(option, value));
      type = option === "--json" ? "application/json" : (type ?? "application/x-www-form-urlencoded");
    } else if (option === "--url" || option === "") url = url ?? value;
  }
  if (url === undefined) throw unreadable("the curl command has no address");
  const { host, target } = splitUrl(url);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  return {
    method: method ?? (bodies.length > 0 ? "POST" : "GET"),
    target,
    headers: [
      ...headers,
      ...(given.has("host") ? [] : [["Host", host] as const]),
      ...(given.has("content-type") || type === undefined ? [] : [["Content-Type", type] as const]),
    ],
    body: Buffer.from(bodies.join(words.some(({ option }) => option === "--json") ? "" : "&"), "utf8"),
  };
}

interface CurlOption {
  /** Empty for a word that is no option. */
  readonly option: string;
  readonly value: string;
}

/** `-XPOST`, `-X POST`, `--request=POST` and `-sSX POST` alike. */
function optionsIn(words: readonly string[]): CurlOption[] {
  const found: CurlOption[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith("-") || word === "-") {
      found.push({ option: "", value: word });
      continue;
    }
    const { option, attached } = split(word);
    const takes =
      data.has(option) || otherValues.has(option) || /^(-[XH]|--(request|header|url))$/.test(option);
    found.push({ option, value: takes ? (attached ?? rest.shift() ?? "") : "" });
  }
  return found;
}

function split(word: string): { readonly option: string; readonly attached: string | undefined } {
  if (word.startsWith("--")) {
    const [option = "", ...value] = word.split("=");
    return { option, attached: value.length === 0 ? undefined : value.join("=") };
  }
  // Of letters without a value only the last may have one.
  const at = [...word].findIndex((letter, index) => index > 0 && /[XHdouAmbcewxDE]/.test(letter));
  const from = at === -1 ? 1 : at;
  const attached = word.slice(from + 1);
  return { option: `-${word.slice(from, from + 1)}`, attached: attached === "" ? undefined : attached };
}

function headerIn(text: string): readonly [string, string] {
  const colon = text.indexOf(":");
  if (colon < 1) throw unreadable(`-H ${JSON.stringify(text)} is no header (Name: value)`);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

function dataIn(option: string, text: string): string {
  if (option !== "--data-raw" && text.startsWith("@"))
    throw unreadable(`curl reads the body from ${text}: replace it with --data-raw and the body itself`);
  return text;
}
