/** One record of each kind, as the venue would send it (`fixtures/examples.json`). Readers of the documents look at these first. */
import { fixture } from "../../fixture.ts";
import type { RecordIds } from "./record-ids.ts";

interface Examples {
  /** By name of the component. */
  readonly records: Readonly<Record<string, { readonly id?: string }>>;
  /** The outcomes of POST /order, told apart by `data.type`. */
  readonly orderOutcomes: Readonly<Record<string, { readonly message: string; readonly data: object }>>;
  /** Bodies by name of the request's component, then by a name for people. */
  readonly requests: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

// as: a test holds the examples against their schemas.
export const { records, orderOutcomes, requests } = fixture("examples.json") as Examples;

/** For the paths of a document that no venue serves. */
export const idsOfExamples: RecordIds = {
  order: records["Order"]?.id ?? "",
  deposits: records["Deposit"]?.id ?? "",
};
