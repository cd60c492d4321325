/**
 * `npm run bench:learn`: counts the right, unknown and wrong statements of learn. Its targets are our simulator with each
 * option that it can take, the second gateways in all their variations, and worlds that were learned. `--only TEXT`
 * selects targets, and `--seeds 3` sets the number of seeds of hostile mode.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { ways } from "../conformance/testing/faulty-gateway/defects.ts";
import { variations } from "../conformance/testing/legal-gateway/variations.ts";
import { hostileFreedoms, knownFreedoms } from "../simulator/index.ts";
import {
  type Compared,
  compare,
  type Lesson,
  learnAgain,
  learnFaulty,
  learnForeign,
  learnLegal,
  learnSimulator,
  simulatorTruth,
} from "./lib/learn-trial.ts";
import { print } from "./lib/print.ts";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, seeds: { type: "string", default: "3" } },
});

interface Trial {
  readonly group: string;
  readonly name: string;
  readonly run: () => Promise<Compared>;
}

/** Options that a world can choose, and that are not the default. */
const chosen = knownFreedoms().flatMap(({ id, setting, options, default: usual }) =>
  options
    .filter((option) => option.id !== usual && (setting !== null || option.variation !== undefined))
    .map((option) => ({ freedom: id, option: option.id })),
);

const withChoice = (freedom: string, option: string): Trial => ({
  group: "simulator",
  name: `${freedom}=${option}`,
  run: async () => {
    const freedoms = { [freedom]: option };
    return compare(`${freedom}=${option}`, await learnSimulator({ freedoms }), simulatorTruth(freedoms));
  },
});

const roundTrip = (of: string, first: () => Promise<Lesson>): Trial => ({
  group: "round trips",
  name: `round trip of ${of}`,
  run: async () => learnAgain(`round trip of ${of}`, await first()),
});

const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);
const hostile = seeds.flatMap((seed): Trial[] => [
  {
    group: "hostile",
    name: `hostile ${seed}`,
    run: async () =>
      compare(
        `hostile ${seed}`,
        await learnSimulator({ hostile: seed }),
        simulatorTruth(hostileFreedoms(seed)),
      ),
  },
  roundTrip(`hostile ${seed}`, () => learnSimulator({ hostile: seed })),
]);

const legal = (options: Parameters<typeof learnLegal>[0], name: string): Trial => ({
  group: "second gateways",
  name: `legal ${name}`,
  run: () => learnLegal(options),
});
const faulty = (taken: Parameters<typeof learnFaulty>[0]): Trial => ({
  group: "second gateways",
  name: `trading ${taken.join(" ")}`,
  run: () => learnFaulty(taken),
});

const trials: readonly Trial[] = [
  {
    group: "simulator",
    name: "demo world",
    run: async () => compare("demo world", await learnSimulator({}), simulatorTruth({})),
  },
  ...chosen.map(({ freedom, option }) => withChoice(freedom, option)),
  ...hostile,
  legal({}, ""),
  ...variations.map((variation) => legal({ variations: [variation] }, variation)),
  legal({ variations, errors: "problem" }, "with all of them, and problem documents"),
  legal({ errors: "text" }, "errors as text"),
  faulty([]),
  ...ways.map((way) => faulty([way])),
  faulty(["three-routes", "frozen-replays"]),
  faulty(["reads-late", "cancels-later"]),
  { group: "second gateways", name: "foreign", run: learnForeign },
  roundTrip("foreign", async () => (await learnForeign()).lesson),
  roundTrip("legal", async () => (await learnLegal({})).lesson),
  roundTrip("trading", async () => (await learnFaulty([])).lesson),
];

const compared: (Compared & { readonly group: string })[] = [];
for (const { group, name, run } of trials.filter((trial) => trial.name.includes(values.only))) {
  const result = await run();
  compared.push({ ...result, name, group });
  process.stderr.write(
    `${name}: ${result.right} right, ${result.unknown.length} unknown, ${result.wrong.length} wrong\n`,
  );
  for (const line of result.wrong) console.log(`WRONG ${name}: ${line}`);
}

/** Of a freedom whose option was chosen, what was said of it. */
const recognised = chosen.flatMap(({ freedom, option }) => {
  const trial = compared.find(({ name }) => name === `${freedom}=${option}`);
  const found = trial?.lesson.report.freedoms.find((one) => one.freedom === freedom);
  return found === undefined ? [] : [[freedom, option, found.option, found.confidence, found.reason ?? ""]];
});
print(["freedom", "chosen", "learned", "confidence", "why not"], recognised);

/** Freedoms that are known of at least one gateway; the reasons of the others say that nothing shows them. */
const tellable = new Set(
  compared.flatMap(({ lesson }) =>
    lesson.report.freedoms.filter(({ option }) => option !== "unknown").map(({ freedom }) => freedom),
  ),
);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const untold = ({ unknown }: Compared): number => unknown.filter((freedom) => tellable.has(freedom)).length;
print(
  ["", "gateways", "right", "unknown", "wrong"],
  [...new Set(compared.map(({ group }) => group))].map((group) => {
    const own = compared.filter((one) => one.group === group);
    const wrong = sum(own.map((one) => one.wrong.length));
    return [group, own.length, sum(own.map(({ right }) => right)), sum(own.map(untold)), wrong].map(String);
  }),
);
console.log(`${tellable.size} of ${knownFreedoms().length} freedoms are told of one gateway at least`);
const learned = recognised.filter(([, option, found]) => option === found).length;
console.log(`${learned} of ${recognised.length} chosen options are recognised`);
process.exitCode = compared.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
