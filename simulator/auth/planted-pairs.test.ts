/** Every pair of mistakes of fixtures/signing/mistakes.yaml, planted and looked for. */
import { expect, test } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { appliesTo, mistakenSigner, type RequestToSign } from "./mistaken-signature.ts";
import { knownMistakes, type Mistake } from "./mistakes.ts";
import { pairsOf, SignatureSearch } from "./signature-search.ts";

const get: RequestToSign = {
  keyId: "kid_local_trader",
  secret: "00ff10ab00ff10ab00ff10ab00ff10ab",
  method: "GET",
  target: "/api/v1/trading/order/open",
  host: "localhost:8080",
  timestamp: "1767225600001",
  nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  contentType: "application/json",
  body: new Uint8Array(),
  signedPath: "path",
};
const requests: readonly (readonly [string, RequestToSign])[] = [
  ["GET", { ...get, target: `${get.target}?product=BTC-USD` }],
  ["POST", { ...get, method: "POST", body: Buffer.from('{ "b": {"d":[1,"x,y: z"]}, "a":1}') }],
];

/** One or two mistakes, in their order. */
type Planted = readonly Mistake[];

const namesOf = (planted: Planted): string =>
  planted
    .map(({ id }) => id)
    .toSorted()
    .join(" + ");

/** The tries of the search, in its order: of those that give the same signature, it names the first. */
function firstOfEach(request: RequestToSign): ReadonlyMap<string, Planted> {
  const signWith = mistakenSigner(request);
  const alone = possibleOn(request);
  const firsts = new Map<string, Planted>();
  const pairs = [...pairsOf(alone)].map(({ mistakes }) => mistakes);
  for (const planted of [...alone.map((mistake) => [mistake]), ...pairs]) {
    const signature = signWith(...planted.map(({ edit }) => edit))?.signature;
    if (signature !== undefined && !firsts.has(signature)) firsts.set(signature, planted);
  }
  return firsts;
}

const possibleOn = (request: RequestToSign): Mistake[] =>
  knownMistakes().mistakes.filter(
    ({ edit, when, sent }) =>
      sent !== true && appliesTo(when, request) && mistakenSigner(request)(edit) !== null,
  );

function* allPairs(mistakes: readonly Mistake[]): Generator<Planted> {
  for (const first of mistakes) for (const second of mistakes) if (first !== second) yield [first, second];
}

test.each(requests)("on a %s, each gives a signature that the search tries", (_name, request) => {
  const signWith = mistakenSigner(request);
  const right = signWith()?.signature;
  const firsts = firstOfEach(request);
  const missed: string[] = [];
  const other = new Set<string>();
  let planted = 0;
  for (const pair of allPairs(possibleOn(request))) {
    const signature = signWith(...pair.map(({ edit }) => edit))?.signature;
    // Two mistakes that undo each other are none.
    if (signature === undefined || signature === right) continue;
    planted += 1;
    const named = firsts.get(signature);
    if (named === undefined) missed.push(namesOf(pair));
    else if (namesOf(named) !== namesOf(pair)) other.add(`${namesOf(pair)} = ${namesOf(named)}`);
  }
  expect(missed).toEqual([]);
  expect(planted).toBeGreaterThan(4000);
  // Of the pairs that are named by other words, most are one mistake that leaves nothing of the other.
  const asPair = [...other].filter((line) => line.split(" = ")[1]?.includes(" + ") === true);
  expect(other.size).toBeLessThan(planted / 4);
  expect(asPair.length).toBeLessThan(planted / 20);
});

/** `npm run test:whole` looks at every three hundredth pair. */
const every = triesAll ? 300 : 2400;

test(`of each ${every} pairs, the search names what gives the same signature of one`, () => {
  for (const [, request] of requests) {
    const firsts = firstOfEach(request);
    const sample = [...firsts].filter((_entry, index) => index % every === 0);
    for (const [signature, planted] of sample) {
      const search = new SignatureSearch({ ...request, signature });
      search.atOnce();
      search.goOn(60_000);
      const { mistakes } = search.diagnosis;
      if (planted.length === 2) expect(mistakes.toSorted().join(" + ")).toBe(namesOf(planted));
      else expect(mistakes).toContain(planted[0]?.id);
    }
    expect(sample.length).toBeGreaterThan(3000 / every);
  }
});

test("random signatures are given no name", () => {
  for (const [, request] of requests)
    for (let number = 1; number <= (triesAll ? 5 : 2); number += 1) {
      const signature = (BigInt(number) * 0x9e3779b97f4a7c15f39cc0605cedc834n).toString(16).padStart(64, "0");
      const search = new SignatureSearch({ ...request, signature });
      search.atOnce();
      search.goOn(60_000);
      expect(search.diagnosis).toMatchObject({ state: "unexplained", mistakes: [] });
    }
});
