/**
 * Ways in which the faulty gateway can be wrong, by the number of the property that is there to notice. Each is a bug
 * that gateways have had, and each leaves everything else right.
 */
export const defects = [
  "p02-first-digits-not-compared",
  "p03-first-two-lines-in-any-order",
  "p04-timestamp-outside-the-signature",
  "p04-body-trimmed-before-hashing",
  "p05-hashes-the-parsed-body",
  "p06-nonce-good-again-with-new-timestamp",
  "p08-hole-in-the-time-window",
  "p16-repeat-makes-an-order",
  "p16-repeat-shows-its-own-contents",
  "p17-cancel-frees-the-key",
  "p18-looked-up-then-inserted",
  "p19-remembered-when-answered",
  "p20-rounds-the-size-up",
  "p20-spends-twice-its-value",
  "p21-second-buy-gets-half",
  "p21-pays-the-first-price-throughout",
  "p21-stops-after-the-first-offer",
  "p24-amounts-become-doubles",
  "p27-refused-orders-linger",
  "p29-listing-forgets-the-keys",
  "p31-deep-bodies-crash",
  "p34-errors-quote-the-secret",
  "p40-filled-sales-known-by-their-price",
  "p41-nonce-not-signed-on-delete",
  "p42-market-orders-ask-for-no-claim",
  "p44-trigger-read-to-its-first-letter",
  "p44-product-of-a-stop-taken-out-of-a-list",
  "p44-refused-sales-use-their-id",
  "p43-taker-pays-its-limit",
  "p46-quotes-reach-triggers",
  "p49-later-order-first",
  "p49-cancel-takes-the-next-too",
  "p50-cancelled-stops-go-off",
  "p51-any-trigger-is-waited-for",
  "p52-cancelled-orders-met-for-a-moment",
] as const;

/** Plainer ways to be wrong, which a few scenarios notice. */
export const plainDefects = [
  "answers-201",
  "ignores-nonce",
  "accepts-any-signature",
  "decimals-as-numbers",
  "digits-of-prices-dropped",
  "status-code-not-echoed",
  "missing-side-accepted",
  "signs-relative-path",
  "crashes-on-garbage",
  "html-errors",
  "claims-not-looked-at",
  "key-has-to-come-first",
  "redirects",
  "never-answers-orders",
  "echoes-secret",
] as const;

export type Defect = (typeof defects)[number] | (typeof plainDefects)[number];
export type Wrong = (defect: Defect) => boolean;

/** Behaviour that the document allows, and that the faulty gateway has only on request. */
export const ways = [
  "three-routes",
  "frozen-replays",
  "reads-late",
  "cancels-later",
  "hides-triggers",
  "fees-inside",
  "fees-on-top",
  "fees-from-base",
] as const;
export type Way = (typeof ways)[number];
