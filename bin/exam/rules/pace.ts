/** Rules about how soon and how often a client sends something again. */
import type { Evidence, Sent } from "../evidence.ts";
import { isFailure } from "./attempts.ts";
import { type Breach, breachesIf, type Rule, seconds } from "./rule.ts";

/** For timers that fire a little early. */
const toleranceMs = 100;

const waitsAsAsked: Rule = {
  id: "EX-05",
  level: "required",
  basis: "stated",
  statement: "After an answer with Retry-After, the client sends nothing before that time is over.",
  judge: ({ sent }) => {
    const asking = sent.filter(({ retryAfterS }) => retryAfterS !== undefined);
    return breachesIf(asking.length > 0, () => asking.flatMap((one) => tooSoonAfter(one, sent)));
  },
};

function tooSoonAfter(asking: Sent, sent: readonly Sent[]): Breach[] {
  const waitMs = (asking.retryAfterS ?? 0) * 1000;
  const next = sent.find(({ cameAt }) => cameAt > asking.answeredAt);
  // Not from the answer: on a busy machine it is noted after the client has it. A request is noted before it is answered.
  const waited = next === undefined ? waitMs : next.cameAt - asking.cameAt;
  if (next === undefined || waited >= waitMs - toleranceMs) return [];
  return [
    {
      expected: `a pause of ${asking.retryAfterS} s, as Retry-After of a ${asking.status} asks`,
      actual: `${seconds(waited)} later came ${next.method} ${next.path}`,
      request: asking,
    },
  ];
}

const mostInASecond = 10;

const noStorm: Rule = {
  id: "EX-06",
  level: "required",
  basis: "stated",
  statement: `While requests fail, the client makes no storm: at most ${mostInASecond} tries of the same in a second.`,
  judge: ({ sent }) => {
    const failed = sent.filter(isFailure);
    return breachesIf(failed.length > 0, () => {
      const worst = failed
        .map((one) => ({ one, tries: triesAfter(one, sent) }))
        .reduce((most, next) => (next.tries > most.tries ? next : most));
      if (worst.tries <= mostInASecond) return [];
      return [
        {
          expected: `at most ${mostInASecond} tries in a second`,
          actual: `${worst.tries} tries in the second after a failure`,
          request: worst.one,
        },
      ];
    });
  },
};

const triesAfter = ({ cameAt: from, ...one }: Sent, sent: readonly Sent[]): number =>
  sent.filter((other) => isSame(one, other) && other.cameAt >= from && other.cameAt < from + 1000).length;

const isSame = (one: Pick<Sent, "method" | "path">, other: Sent): boolean =>
  one.method === other.method && one.path === other.path;

/** From the first half of the tries to the second; less may be the timer's doing. */
const growth = 1.2;

/** Of three, the one that a busy machine makes longer decides. Of four or more, each half has another one that was not late. */
const fewestPauses = 4;

const rising = (one: number, other: number): number => one - other;

const backsOff: Rule = {
  id: "EX-07",
  level: "recommended",
  basis: "stated",
  statement: "While a request goes on failing, the pauses between its tries grow.",
  judge: (evidence) => {
    const series = seriesOf(evidence).filter((pauses) => pauses.length >= fewestPauses);
    return breachesIf(series.length > 0, () =>
      series.flatMap((pauses) => {
        const half = Math.floor(pauses.length / 2);
        const [before, after] = [pauses.slice(0, half).toSorted(rising), pauses.slice(half).toSorted(rising)];
        if ((after[after.length >> 1] ?? 0) >= growth * (before[(before.length - 1) >> 1] ?? 0)) return [];
        return [{ expected: "pauses that grow", actual: pauses.map(seconds).join(", ") }];
      }),
    );
  },
};

/** The pauses behind failures in a row that name no time, by kind of request. */
function seriesOf({ sent }: Evidence): number[][] {
  const kinds = new Map<string, Sent[]>();
  for (const one of sent) {
    const kind = `${one.method} ${one.path}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const series: number[][] = [];
  for (const tries of kinds.values()) {
    let current: number[] = [];
    for (const [index, next] of tries.slice(1).entries()) {
      const before = tries[index];
      if (before !== undefined && isFailure(before) && before.retryAfterS === undefined)
        current.push(Math.max(next.cameAt - before.answeredAt, 0));
      else {
        series.push(current);
        current = [];
      }
    }
    series.push(current);
  }
  return series;
}

const mostRefusals = 5;

const takesNo: Rule = {
  id: "EX-15",
  level: "required",
  basis: "credential",
  statement: `A refusal that stays the same is not asked for again and again: at most ${mostRefusals} times in a row.`,
  judge: ({ sent }) => {
    const refused = sent.filter(isRefusal);
    return breachesIf(refused.length > 0, () => {
      let [inARow, last]: [number, Sent | undefined] = [0, undefined];
      for (const one of sent.filter(({ method }) => method !== "GET")) {
        const isAgain = isRefusal(one) && last?.code === one.code && last.path === one.path;
        inARow = isRefusal(one) ? (isAgain ? inARow + 1 : 1) : 0;
        last = one;
        if (inARow > mostRefusals)
          return [
            {
              expected: `at most ${mostRefusals} times the same refusal in a row`,
              actual: `more than ${mostRefusals}`,
              request: one,
            },
          ];
      }
      return [];
    });
  },
};

const isRefusal = ({ status }: Sent): boolean => status >= 400 && status < 500 && status !== 429;

export const paceRules: readonly Rule[] = [waitsAsAsked, noStorm, backsOff, takesNo];
