/**
 * How well wrong signatures are named: the mistakes of bench/doctor/, which were collected from public issues and samples;
 * then the mistakes of the catalogue and a sample of its pairs, planted and looked for, and random signatures.
 * npm run bench:doctor
 */
import { collected, type Judged, judge } from "./doctor/collected.ts";
import { host, keyId, nonce, openOrders, order, type Sent, timestamp } from "./doctor/idioms.ts";
import { plantIn } from "./doctor/planted.ts";
import { heading, print } from "./lib/print.ts";

heading("Collected mistakes");
const judged: Judged[] = [];
for (const mistake of collected) judged.push(await judge(mistake));
print(
  ["outcome", "language", "source", "named"],
  judged.map(({ mistake, diagnosis, outcome }) => [
    outcome,
    mistake.language,
    mistake.source,
    diagnosis.mistakes.join(" "),
  ]),
);
const share = (wanted: Judged["outcome"]): string => {
  const count = judged.filter(({ outcome }) => outcome === wanted).length;
  return `${count} of ${judged.length}, ${((100 * count) / judged.length).toFixed(0)} %`;
};
console.log("");
print(
  ["collected", "share"],
  [
    ["named rightly", share("right")],
    ["named wrongly", share("wrong")],
    ["not named", share("unnamed")],
  ],
);

heading("Planted mistakes");
const received = ({ body, ...sent }: Sent) => ({
  ...sent,
  host,
  keyId,
  timestamp,
  nonce,
  body: Buffer.from(body),
});
const figures = [order, openOrders].map((sent) => ({ sent, ...plantIn(received(sent)) }));
print(
  ["request", "planted", "named exactly", "by the same signature"],
  figures.flatMap(({ sent, singles, pairs }) =>
    [
      { kind: "alone", ...singles },
      { kind: "pairs", ...pairs },
    ].map(({ kind, planted, exactly, bySame }) => [
      `${sent.method}, ${kind}`,
      String(planted),
      String(exactly),
      String(bySame),
    ]),
  ),
);
console.log("");
print(
  ["request", "random signatures", "named", "tried in each", "median ms"],
  figures.map(({ sent, random, tried, medianMs }) => [
    sent.method,
    String(random.searched),
    String(random.named),
    String(tried),
    medianMs.toFixed(0),
  ]),
);
