/** Messages of a stream, read with suspicion: they come from any target, and what does not fit is passed over. */

export type Fields = Readonly<Record<string, unknown>>;

export interface Message {
  readonly type: string;
  /** Empty where the message belongs to none. */
  readonly channel: string;
  readonly sequence: number | undefined;
  readonly data: Fields;
  readonly fields: Fields;
}

export interface Level {
  readonly price: string;
  readonly quantity: string;
}

export function readMessage(text: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const fields = fieldsOf(value);
  const { type, channel, sequence, data } = fields;
  if (typeof type !== "string") return undefined;
  return {
    type,
    channel: textOf(channel),
    sequence: numberOf(sequence),
    data: fieldsOf(data),
    fields,
  };
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** Some gateways write small amounts with an exponent. */
const isAmount = (text: string): boolean =>
  /^[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/.test(text) && Number.isFinite(Number(text));

export function levelsOf(value: unknown): Level[] {
  return listOf(value)
    .map(({ price, quantity }) => ({ price: textOf(price), quantity: textOf(quantity) }))
    .filter(({ price, quantity }) => isAmount(price) && isAmount(quantity));
}
