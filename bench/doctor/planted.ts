/** Mistakes of the catalogue planted in one request and looked for, and signatures that have none. */
import { createHash } from "node:crypto";
import { appliesTo, mistakenSigner, type RequestToSign } from "../../simulator/auth/mistaken-signature.ts";
import { knownMistakes, type Mistake } from "../../simulator/auth/mistakes.ts";
import { type Diagnosis, pairsOf, SignatureSearch } from "../../simulator/auth/signature-search.ts";

/** Of so many pairs one is planted; the rest takes minutes. */
const everyPair = 50;
const randomSignatures = 100;
const longMs = 60_000;

/** How many were planted and named: as they were planted, or by others that give the same signature. */
interface Named {
  readonly planted: number;
  readonly exactly: number;
  readonly bySame: number;
}

export interface PlantedFigures {
  readonly singles: Named;
  readonly pairs: Named;
  readonly random: { readonly searched: number; readonly named: number };
  /** Of a search to its end. */
  readonly tried: number;
  readonly medianMs: number;
}

export function plantIn(request: RequestToSign): PlantedFigures {
  const signWith = mistakenSigner(request);
  const possible = knownMistakes().mistakes.filter(
    ({ edit, when, sent }) => sent !== true && appliesTo(when, request) && signWith(edit) !== null,
  );
  const pairs = [...pairsOf(possible)].filter((_pair, index) => index % everyPair === 0);
  const ends = Array.from({ length: randomSignatures }, (_none, number) => {
    const signature = createHash("sha256").update(String(number)).digest("hex");
    const begun = performance.now();
    const diagnosis = searched(request, signature);
    return { diagnosis, ms: performance.now() - begun };
  });
  return {
    singles: named(
      request,
      possible.map((mistake) => [mistake]),
    ),
    pairs: named(
      request,
      pairs.map(({ mistakes }) => mistakes),
    ),
    random: {
      searched: ends.length,
      named: ends.filter(({ diagnosis }) => diagnosis.state === "found").length,
    },
    tried: ends[0]?.diagnosis.tried ?? 0,
    medianMs: ends.map(({ ms }) => ms).sort((left, right) => left - right)[ends.length / 2] ?? 0,
  };
}

function searched(request: RequestToSign, signature: string): Diagnosis {
  const search = new SignatureSearch({ ...request, signature });
  search.atOnce();
  if (!search.isOver) search.goOn(longMs);
  return search.diagnosis;
}

function named(request: RequestToSign, all: readonly (readonly Mistake[])[]): Named {
  const signWith = mistakenSigner(request);
  let [planted, exactly, bySame] = [0, 0, 0];
  for (const mistakes of all) {
    const signature = signWith(...mistakes.map(({ edit }) => edit))?.signature;
    // Two mistakes that undo each other are none.
    if (signature === undefined || signature === signWith()?.signature) continue;
    planted += 1;
    const ids = mistakes.map(({ id }) => id);
    const { state, mistakes: found, hint } = searched(request, signature);
    const isEither = hint?.includes(" or if ") === true;
    const isExact =
      ids.length === 1
        ? found.includes(ids[0] ?? "") && (isEither || found.length === 1)
        : !isEither && ids.toSorted().join() === found.toSorted().join();
    if (isExact) exactly += 1;
    else if (state === "found") bySame += 1;
  }
  return { planted, exactly, bySame };
}
