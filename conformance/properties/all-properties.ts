import { safetyClasses } from "../model/profile.ts";
import { oneBit } from "./p02-one-bit.ts";
import { sixLines } from "./p03-six-lines.ts";
import { signedComponents } from "./p04-signed-components.ts";
import { rawBytes } from "./p05-raw-bytes.ts";
import { nonceOnce } from "./p06-nonce-once.ts";
import { nonceRace } from "./p07-nonce-race.ts";
import { skewIsMonotone } from "./p08-skew-is-monotone.ts";
import { headerSpelling } from "./p09-header-spelling.ts";
import { envelope } from "./p10-envelope.ts";
import { orderShape } from "./p11-order-shape.ts";
import { requiredFields } from "./p12-required-fields.ts";
import { wrongValues } from "./p13-wrong-values.ts";
import { words } from "./p14-words.ts";
import { keyGrammar } from "./p15-key-grammar.ts";
import { sequentialReplay } from "./p16-sequential-replay.ts";
import { replayAfterAnything } from "./p17-replay-after-anything.ts";
import { concurrentDuplicates } from "./p18-concurrent-duplicates.ts";
import { lostAnswer } from "./p19-lost-answer.ts";
import { neverOverspends } from "./p20-never-overspends.ts";
import { sizingScales } from "./p21-sizing-scales.ts";
import { ignoredFields } from "./p22-ignored-fields.ts";
import { quantityIsOptional } from "./p23-quantity-is-optional.ts";
import { decimalEcho } from "./p24-decimal-echo.ts";
import { equalDecimals } from "./p25-equal-decimals.ts";
import { sizeLimits } from "./p26-size-limits.ts";
import { refusalsLeaveNothing } from "./p27-refusals-leave-nothing.ts";
import { productListing } from "./p28-product-listing.ts";
import { session } from "./p29-session.ts";
import { claims } from "./p30-claims.ts";
import { robustParsing } from "./p31-robust-parsing.ts";
import { fillsAddUp } from "./p32-fills-add-up.ts";
import { eventsAndOrders } from "./p33-events-and-orders.ts";
import { numberedMessages } from "./p35-numbered-messages.ts";
import { bookOfTheStream } from "./p36-book-of-the-stream.ts";
import { oneNonceForBoth } from "./p37-one-nonce-for-both.ts";
import { placementAndReplay } from "./p40-placement-and-replay.ts";
import { authentication } from "./p41-authentication.ts";
import { claimsAlone } from "./p42-claims-alone.ts";
import { arithmetic } from "./p43-arithmetic.ts";
import { validation } from "./p44-validation.ts";
import { reading } from "./p45-reading.ts";
import { stops } from "./p46-stops.ts";
import { products } from "./p47-products.ts";
import { stream } from "./p48-stream.ts";
import { priority } from "./p49-priority.ts";
import { endedOrders } from "./p50-ended-orders.ts";
import { ignoredInTrades } from "./p51-ignored-amounts.ts";
import { endsAtOnce } from "./p52-at-once.ts";
import type { Property } from "./property.ts";

const byNumber: readonly Property[] = [
  oneBit,
  sixLines,
  signedComponents,
  rawBytes,
  nonceOnce,
  nonceRace,
  skewIsMonotone,
  headerSpelling,
  envelope,
  orderShape,
  requiredFields,
  wrongValues,
  words,
  keyGrammar,
  sequentialReplay,
  replayAfterAnything,
  concurrentDuplicates,
  lostAnswer,
  neverOverspends,
  // Before P-21, which leaves open offers at a target without a cancel route.
  fillsAddUp,
  sizingScales,
  ignoredFields,
  quantityIsOptional,
  decimalEcho,
  equalDecimals,
  sizeLimits,
  refusalsLeaveNothing,
  productListing,
  session,
  claims,
  robustParsing,
  eventsAndOrders,
  numberedMessages,
  bookOfTheStream,
  oneNonceForBoth,
  placementAndReplay,
  authentication,
  claimsAlone,
  arithmetic,
  validation,
  stops,
  priority,
  endedOrders,
  ignoredInTrades,
  endsAtOnce,
  reading,
  products,
  stream,
];

/**
 * Harmless ones first, as with cases. P-01 needs no target and is a test of the kit; P-34 uses the requests of the others.
 */
export const allProperties: readonly Property[] = safetyClasses.flatMap((safety) =>
  byNumber.filter((property) => property.safety === safety),
);
