import type { Bug } from "./bug.ts";
import { Gateway } from "./gateway.ts";
import { bugsOfBodiesAndProducts } from "./planted/bugs-of-bodies-and-products.ts";
import { bugsOfClients } from "./planted/bugs-of-clients.ts";
import { bugsOfCredentials } from "./planted/bugs-of-credentials.ts";
import { bugsOfFeedsAndKeys } from "./planted/bugs-of-feeds-and-keys.ts";
import { bugsOfFeesAndNeighbours } from "./planted/bugs-of-fees-and-neighbours.ts";
import { bugsOfFillsAndAnswers } from "./planted/bugs-of-fills-and-answers.ts";
import { bugsOfListsAndStops } from "./planted/bugs-of-lists-and-stops.ts";
import { bugsOfMemoryAndReading } from "./planted/bugs-of-memory-and-reading.ts";
import { bugsOfMoney } from "./planted/bugs-of-money.ts";
import { bugsOfNeighboursAndStreams } from "./planted/bugs-of-neighbours-and-streams.ts";
import { bugsOfNoncesAndCaches } from "./planted/bugs-of-nonces-and-caches.ts";
import { bugsOfPlacement } from "./planted/bugs-of-placement.ts";
import { bugsOfRareStatesAndRaces } from "./planted/bugs-of-rare-states-and-races.ts";
import { bugsOfRepeats } from "./planted/bugs-of-repeats.ts";
import { bugsOfSharedState } from "./planted/bugs-of-shared-state.ts";
import { bugsOfSignaturesAndClaims } from "./planted/bugs-of-signatures-and-claims.ts";
import { bugsOfSumsAndStates } from "./planted/bugs-of-sums-and-states.ts";
import { furtherBugsOfClients } from "./planted/further-bugs-of-clients.ts";
import { furtherBugsOfCredentials } from "./planted/further-bugs-of-credentials.ts";
import { furtherBugsOfMoney } from "./planted/further-bugs-of-money.ts";
import { furtherBugsOfPlacement } from "./planted/further-bugs-of-placement.ts";
import { incidentsOfAmountsAndRecords } from "./planted/incidents-of-amounts-and-records.ts";
import { incidentsOfAnswers } from "./planted/incidents-of-answers.ts";
import { incidentsOfCancelsAndMessages } from "./planted/incidents-of-cancels-and-messages.ts";
import { incidentsOfCopies } from "./planted/incidents-of-copies.ts";
import { incidentsOfLateMessages } from "./planted/incidents-of-late-messages.ts";
import { incidentsOfMarketData } from "./planted/incidents-of-market-data.ts";
import { incidentsOfMatching } from "./planted/incidents-of-matching.ts";
import { incidentsOfMissingOrders } from "./planted/incidents-of-missing-orders.ts";
import { incidentsOfMoneyAndFills } from "./planted/incidents-of-money-and-fills.ts";
import { incidentsOfRecordsAndBooks } from "./planted/incidents-of-records-and-books.ts";
import { incidentsOfRecoveries } from "./planted/incidents-of-recoveries.ts";
import { incidentsOfRefusals } from "./planted/incidents-of-refusals.ts";
import { incidentsOfRequests } from "./planted/incidents-of-requests.ts";
import { incidentsOfSigning } from "./planted/incidents-of-signing.ts";
import { incidentsOfSilences } from "./planted/incidents-of-silences.ts";
import { incidentsOfStates } from "./planted/incidents-of-states.ts";
import { incidentsOfStreams } from "./planted/incidents-of-streams.ts";
import { incidentsOfSubscriptions } from "./planted/incidents-of-subscriptions.ts";
import { incidentsOfTrades } from "./planted/incidents-of-trades.ts";
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
