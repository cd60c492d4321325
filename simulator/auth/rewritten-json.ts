/** JSON as other programs write it again: for mistakes in the body that is hashed. */

/** Null where it cannot be written so, or where this way of writing makes no difference of its own. */
export function rewrittenJson(text: string, how: string): string | null {
  if (how === "quoted") return JSON.stringify(text);
  try {
    const json: unknown = JSON.parse(text);
    const compact = JSON.stringify(json);
    const write = ways[how];
    return write === undefined ? JSON.stringify(json, null, how) : write(compact, json);
  } catch {
    // Not JSON: then it was not written again.
    return null;
  }
}

const ways: Readonly<Record<string, (compact: string, json: unknown) => string | null>> = {
  compact: (compact) => compact,
  spaced,
  sorted: (_compact, json) => withSortedKeys(json),
  sortedSpaced: (compact, json) => other(spaced(withSortedKeys(json)), spaced(compact)),
  ascii: (compact) => other(asciiOnly(compact), compact),
  slashes: (compact) => other(slashesEscaped(compact), compact),
  php: (compact) =>
    slashesEscaped(compact) === compact
      ? null
      : other(asciiOnly(slashesEscaped(compact)), slashesEscaped(compact)),
  python: pythonRepr,
  pythonQuotes: (compact) => other(pythonRepr(compact).replaceAll("'", '"'), spaced(compact)),
};

const other = (written: string, plain: string): string | null => (written === plain ? null : written);

/** As Python's json.dumps writes it. Inside strings the text stays. */
function spaced(json: string): string {
  return json.replace(token, (_all, string?: string, mark?: string) => string ?? `${mark} `);
}

const token = /("(?:[^"\\]|\\.)*")|([,:])/g;

const asciiOnly = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const slashesEscaped = (json: string): string => json.replaceAll("/", "\\/");

const words: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** As str() writes a dict of plain texts. */
function pythonRepr(json: string): string {
  return json.replace(
    /("(?:[^"\\]|\\.)*")|([,:])|true|false|null/g,
    (all, string?: string, mark?: string) => {
      if (string !== undefined) return `'${string.slice(1, -1)}'`;
      return mark === undefined ? (words[all] ?? all) : `${mark} `;
    },
  );
}

const withSortedKeys = (json: unknown): string =>
  JSON.stringify(json, (_name, value: unknown) => sorted(value));

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
