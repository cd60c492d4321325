/** Answers of this venue as values to change. They came out of it, so they are what they look like. */

export type Fields = Readonly<Record<string, unknown>>;

export const parseObject = (text: string): Fields => JSON.parse(text) as Fields;
export const parseList = (text: string): readonly Fields[] => JSON.parse(text) as readonly Fields[];

/** Every object in a value goes through `change`, the innermost first. */
export function mapObjects(value: unknown, change: (value: Fields) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== "object" || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapObjects(item, change)])),
  );
}

/** Not the plain text that another variation may have made of a body. */
export const isJson = (body: string): boolean => /^[[{]/.test(body);

/** The body of an answer with every object in it changed. */
export const mapBody = (body: string, change: (value: Fields) => unknown): string =>
  isJson(body) ? JSON.stringify(mapObjects(JSON.parse(body), change)) : body;
