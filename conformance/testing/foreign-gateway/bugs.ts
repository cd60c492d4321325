import type { Bug } from "./bug.ts";
import { bugsOfBodiesAndProducts } from "./bugs-of-bodies-and-products.ts";
import { bugsOfClients } from "./bugs-of-clients.ts";
import { bugsOfCredentials } from "./bugs-of-credentials.ts";
import { bugsOfFeedsAndKeys } from "./bugs-of-feeds-and-keys.ts";
import { bugsOfFeesAndNeighbours } from "./bugs-of-fees-and-neighbours.ts";
import { bugsOfFillsAndAnswers } from "./bugs-of-fills-and-answers.ts";
import { bugsOfListsAndStops } from "./bugs-of-lists-and-stops.ts";
import { bugsOfMemoryAndReading } from "./bugs-of-memory-and-reading.ts";
import { bugsOfMoney } from "./bugs-of-money.ts";
import { bugsOfNeighboursAndStreams } from "./bugs-of-neighbours-and-streams.ts";
import { bugsOfNoncesAndCaches } from "./bugs-of-nonces-and-caches.ts";
import { bugsOfPlacement } from "./bugs-of-placement.ts";
import { bugsOfRareStatesAndRaces } from "./bugs-of-rare-states-and-races.ts";
import { bugsOfRepeats } from "./bugs-of-repeats.ts";
import { bugsOfSharedState } from "./bugs-of-shared-state.ts";
import { bugsOfSignaturesAndClaims } from "./bugs-of-signatures-and-claims.ts";
import { bugsOfSumsAndStates } from "./bugs-of-sums-and-states.ts";
import { furtherBugsOfClients } from "./further-bugs-of-clients.ts";
import { furtherBugsOfCredentials } from "./further-bugs-of-credentials.ts";
import { furtherBugsOfMoney } from "./further-bugs-of-money.ts";
import { furtherBugsOfPlacement } from "./further-bugs-of-placement.ts";
import { Gateway } from "./gateway.ts";
import { incidentsOfAmountsAndRecords } from "./incidents-of-amounts-and-records.ts";
import { incidentsOfAnswers } from "./incidents-of-answers.ts";
import { incidentsOfCancelsAndMessages } from "./incidents-of-cancels-and-messages.ts";
import { incidentsOfCopies } from "./incidents-of-copies.ts";
import { incidentsOfLateMessages } from "./incidents-of-late-messages.ts";
import { incidentsOfMarketData } from "./incidents-of-market-data.ts";
import { incidentsOfMatching } from "./incidents-of-matching.ts";
import { incidentsOfMissingOrders } from "./incidents-of-missing-orders.ts";
import { incidentsOfMoneyAndFills } from "./incidents-of-money-and-fills.ts";
import { incidentsOfRecordsAndBooks } from "./incidents-of-records-and-books.ts";
import { incidentsOfRecoveries } from "./incidents-of-recoveries.ts";
import { incidentsOfRefusals } from "./incidents-of-refusals.ts";
import { incidentsOfRequests } from "./incidents-of-requests.ts";
import { incidentsOfSigning } from "./incidents-of-signing.ts";
import { incidentsOfSilences } from "./incidents-of-silences.ts";
import { incidentsOfStates } from "./incidents-of-states.ts";
import { incidentsOfStreams } from "./incidents-of-streams.ts";
import { incidentsOfSubscriptions } from "./incidents-of-subscriptions.ts";
import { incidentsOfTrades } from "./incidents-of-trades.ts";
import { variations } from "./variations.ts";

export const bugs: readonly Bug[] = [
  ...bugsOfCredentials,
  ...bugsOfClients,
  ...bugsOfPlacement,
  ...bugsOfMoney,
  ...furtherBugsOfCredentials,
  ...furtherBugsOfClients,
  ...furtherBugsOfPlacement,
  ...furtherBugsOfMoney,
  ...bugsOfSignaturesAndClaims,
  ...bugsOfNeighboursAndStreams,
  ...bugsOfBodiesAndProducts,
  ...bugsOfListsAndStops,
  ...bugsOfFillsAndAnswers,
  ...bugsOfNoncesAndCaches,
  ...bugsOfSharedState,
  ...bugsOfRepeats,
  ...bugsOfSumsAndStates,
  ...bugsOfRareStatesAndRaces,
  ...bugsOfFeesAndNeighbours,
  ...bugsOfFeedsAndKeys,
  ...bugsOfMemoryAndReading,
  ...incidentsOfRequests,
  ...incidentsOfMatching,
  ...incidentsOfStates,
  ...incidentsOfRecordsAndBooks,
  ...incidentsOfStreams,
  ...incidentsOfAnswers,
  ...incidentsOfMoneyAndFills,
  ...incidentsOfCancelsAndMessages,
  ...incidentsOfSigning,
  ...incidentsOfTrades,
  ...incidentsOfAmountsAndRecords,
  ...incidentsOfMissingOrders,
  ...incidentsOfLateMessages,
  ...incidentsOfSilences,
  ...incidentsOfCopies,
  ...incidentsOfRefusals,
  ...incidentsOfRecoveries,
  ...incidentsOfMarketData,
  ...incidentsOfSubscriptions,
];

/** A gateway that is listening: a legal one, or one with these bugs or variations. */
export async function startGateway(...ids: readonly string[]): Promise<Gateway> {
  const gateway = new Gateway();
  for (const id of ids) {
    const bug = [...bugs, ...variations].find((known) => known.id === id);
    if (bug === undefined) throw new Error(`there is no bug or variation ${id}`);
    bug.install(gateway);
  }
  return gateway.listen();
}
