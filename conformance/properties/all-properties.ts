import { safetyClasses } from "../model/profile.ts";
import { oneBit } from "./p02-one-bit.ts";
import { sixLines } from "./p03-six-lines.ts";
import { signedComponents } from "./p04-signed-components.ts";
import { rawBytes } from "./p05-raw-bytes.ts";
import { nonceOnce } from "./p06-nonce-once.ts";
import { skewIsMonotone } from "./p08-skew-is-monotone.ts";
import { sequentialReplay } from "./p16-sequential-replay.ts";
import { replayAfterAnything } from "./p17-replay-after-anything.ts";
import { concurrentDuplicates } from "./p18-concurrent-duplicates.ts";
import { lostAnswer } from "./p19-lost-answer.ts";
import { neverOverspends } from "./p20-never-overspends.ts";
import { sizingScales } from "./p21-sizing-scales.ts";
import { decimalEcho } from "./p24-decimal-echo.ts";
import { refusalsLeaveNothing } from "./p27-refusals-leave-nothing.ts";
import { session } from "./p29-session.ts";
import { robustParsing } from "./p31-robust-parsing.ts";
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
import { longStreams } from "./p53-long-streams.ts";
import type { Property } from "./property.ts";

const byNumber: readonly Property[] = [
  oneBit,
  sixLines,
  signedComponents,
  rawBytes,
  nonceOnce,
  skewIsMonotone,
  sequentialReplay,
  replayAfterAnything,
  concurrentDuplicates,
  lostAnswer,
  neverOverspends,
  sizingScales,
  decimalEcho,
  refusalsLeaveNothing,
  session,
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
  longStreams,
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
