/**
 * A text that is the same in the next run: ids, times and long numbers are masked, blanks are single. `ids` are the values
 * that the run knows as ids, whatever they look like.
 */
export function masked(text: string, ids: ReadonlySet<string>): string {
  return byForm(withoutIds(text, ids)).replace(/\s+/g, " ").trim();
}

/** The ids of a run that a text shows. */
export function idsShown(texts: readonly string[], ids: ReadonlySet<string>): string[] {
  const shown = new Set<string>();
  for (const text of texts) withoutIds(text, ids, (id) => shown.add(id));
  return [...shown].toSorted();
}

function byForm(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, "<id>")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, "<time>")
    .replace(/\b(?=[a-z]*\d)[0-9a-f]{16,}\b/gi, "<hex>")
    .replace(/\b\d{9,}\b/g, "<number>");
}

const word = /[^\s"'`,;:(){}[\]<>|=/?&\\]+/g;
const named = /("(?:id|cursor|\w+Id|\w+Cursor)":\s*")(\d{1,4})(?=")/g;

function withoutIds(
  text: string,
  ids: ReadonlySet<string>,
  seen: (id: string) => void = () => undefined,
): string {
  const known = (id: string): boolean => {
    if (ids.has(id)) seen(id);
    return ids.has(id);
  };
  let rest = text;
  for (const id of oddIds(ids)) {
    // As it is, and as it stands in JSON.
    for (const spelled of [id, JSON.stringify(id).slice(1, -1)])
      if (rest.includes(spelled)) {
        seen(id);
        rest = rest.replaceAll(spelled, mask);
      }
  }
  return rest
    .replace(named, (whole, before: string, id: string) => (known(id) ? `${before}${mask}` : whole))
    .replace(word, (whole) => {
      const [, id = "", end = ""] = /^(.*?)([.!…]*)$/s.exec(whole) ?? [];
      // A short number may be an amount or a status as well.
      const isId = /^\d{1,4}$/.test(id) ? false : known(id) || (end.endsWith("…") && isCut(id, ids));
      // Forms that have a mask of their own keep it.
      return isId ? `${/^<\w+>$/.test(byForm(id)) ? byForm(id) : mask}${end}` : whole;
    });
}

const mask = "<id>";

/** Ids that are more than one word. */
function oddIds(ids: ReadonlySet<string>): readonly string[] {
  const known = odd.get(ids);
  if (known?.of === ids.size) return known.ids;
  const found = [...ids].filter((id) => id.replace(word, "") !== "");
  odd.set(ids, { of: ids.size, ids: found });
  return found;
}

const odd = new WeakMap<ReadonlySet<string>, { readonly of: number; readonly ids: readonly string[] }>();

/** The beginning of an id, in a text that was cut to a line. */
const isCut = (beginning: string, ids: ReadonlySet<string>): boolean =>
  /\d/.test(beginning) && [...ids].some((id) => id.startsWith(beginning));
