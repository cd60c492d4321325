/**
 * Behaviour that the document allows, and that the legal gateway has only on request, one by one or together. Each is a way
 * in which gateways differ and in which none of them is wrong.
 */
export const variations = [
  "keeps-connections",
  "answers-in-pieces",
  "repeats-the-first-answer",
  "lists-late",
  "names-orders-oddly",
  "writes-ids-in-lower-case",
  "hides-what-may-be-left-out",
  "takes-no-other-media-type",
  "lets-the-query-be-signed",
  "asks-for-a-uuid-as-nonce",
  "looks-at-the-clock-closely",
] as const;
export type Variation = (typeof variations)[number];
