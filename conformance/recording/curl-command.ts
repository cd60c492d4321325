import { type ShellCommand, shellCommand } from "./shell-words.ts";

/** What a curl command sends, as far as its line shows it. */
export interface CurlCommand {
  readonly method: string;
  /** As it was typed. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined where the line does not hold it. */
  readonly body: Buffer | undefined;
  /** Why a part of the request is not known. */
  readonly problem?: string;
}

/** Options of curl with a value that no request depends on. */
const otherValues = new Set(
  "-o --output -u --user -A --user-agent -m --max-time -b --cookie -c --cookie-jar -e --referer -w --write-out -x --proxy -D --dump-header --connect-timeout --retry --retry-delay --resolve --noproxy --trace --trace-ascii --stderr --connect-to --interface --cacert --cert --key -E -K --config -F --form -T --upload-file".split(
    " ",
  ),
);
const data = new Set("-d --data --data-raw --data-binary --data-ascii --data-urlencode --json".split(" "));
const otherBodies = new Set("-F --form -T --upload-file --data-urlencode -K --config".split(" "));

/** What may stand before the word curl on its line: a prompt, the mark of `set -x`, `time`, variables, a folder. */
const beginning = /^([^{}<]{0,200}?(?:^|[\s;&|(/\\>'"]))(?:curl|curl\.exe)["']?[ \t]+/;

/** Where a command of curl begins on this line; undefined if none does. */
export function curlStart(line: string): number | undefined {
  const [whole, before] = beginning.exec(line) ?? [];
  if (whole === undefined || before === undefined || /^[*<>] (?!curl)/.test(line)) return undefined;
  return whole.length;
}

export interface ReadCommand {
  /** Undefined for words that are no request: a sentence, `curl --version`. */
  readonly command: CurlCommand | undefined;
  readonly end: number;
}

/** The command whose words begin at a place of a text; undefined if a quotation mark is not closed. */
export function curlCommand(text: string, from: number): ReadCommand | undefined {
  const read = shellCommand(text, from);
  if (read === undefined) return undefined;
  const command = commandOf(read);
  const isRequest = command.url === "" ? command.headers.length > 0 : /[/:.]|^\$/.test(command.url);
  return { command: isRequest ? command : undefined, end: read.end };
}

function commandOf({ words }: ShellCommand): CurlCommand {
  const options = optionsIn(words.map(({ text }) => text));
  const headers: (readonly [string, string])[] = [];
  const bodies: string[] = [];
  const open = new Set(words.flatMap(({ text, isOpen }) => (isOpen ? [text] : [])));
  let [method, url, type, problem]: (string | undefined)[] = [];
  let isKnown = true;
  for (const { option, value } of options) {
    if (open.has(value) && (option !== "" || url === undefined))
      problem ??= `${JSON.stringify(value)} is a variable of a shell: paste what it stands for`;
    if (option === "-X" || option === "--request") method = value;
    else if (option === "-H" || option === "--header") {
      const header = headerIn(value);
      if (header === undefined) problem ??= `-H ${JSON.stringify(value)} is no header (Name: value)`;
      else headers.push(header);
    } else if (option === "-I" || option === "--head") method ??= "HEAD";
    else if (option === "-G" || option === "--get")
      problem ??= "curl -G moves the data into the query: paste the address with its query instead";
    else if (otherBodies.has(option)) {
      isKnown = false;
      problem ??= `curl makes the body of ${option} itself: paste it with --data-raw and the body`;
    } else if (data.has(option)) {
      bodies.push(value);
      type = option === "--json" ? "application/json" : (type ?? "application/x-www-form-urlencoded");
      if (open.has(value)) isKnown = false;
      if (option !== "--data-raw" && value.startsWith("@")) {
        isKnown = false;
        problem ??= `curl reads the body from ${value}: replace it with --data-raw and the body itself`;
      }
    } else if (option === "--url" || option === "") url ??= value;
  }
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  if (url === undefined) problem ??= "the curl command has no address";
  const separator = options.some(({ option }) => option === "--json") ? "" : "&";
  return {
    method: method ?? (type === undefined ? "GET" : "POST"),
    url: url ?? "",
    headers:
      type === undefined || given.has("content-type")
        ? headers
        : [...headers, ["Content-Type", type] as const],
    body: isKnown ? Buffer.from(bodies.join(separator), "utf8") : undefined,
    ...(problem === undefined ? {} : { problem }),
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
  const rest = [...words].reverse();
  for (let word = rest.pop(); word !== undefined; word = rest.pop()) {
    if (!word.startsWith("-") || word === "-") {
      found.push({ option: "", value: word });
      continue;
    }
    const { option, attached } = split(word);
    const takes =
      data.has(option) || otherValues.has(option) || /^(-[XH]|--(request|header|url))$/.test(option);
    found.push({ option, value: takes ? (attached ?? rest.pop() ?? "") : "" });
  }
  return found;
}

function split(word: string): { readonly option: string; readonly attached: string | undefined } {
  if (word.startsWith("--")) {
    const [option = "", ...value] = word.split("=");
    return { option, attached: value.length === 0 ? undefined : value.join("=") };
  }
  // Of letters without a value only the last may have one.
  const at = [...word].findIndex((letter, index) => index > 0 && /[XHdouAmbcewxDEFTK]/.test(letter));
  const from = at === -1 ? 1 : at;
  const attached = word.slice(from + 1);
  return { option: `-${word.slice(from, from + 1)}`, attached: attached === "" ? undefined : attached };
}

function headerIn(text: string): readonly [string, string] | undefined {
  const colon = text.indexOf(":");
  return colon < 1 ? undefined : [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
