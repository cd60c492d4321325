import { killRound } from "./kill-run.ts";

/** `npm run soak:kill-run -- --rounds 200 --seed 7`: ends with 1 at the first round that leaves an order open. */
const flag = (name: string, otherwise: number): number => {
  const at = process.argv.lastIndexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};

const [rounds, seed] = [flag("rounds", 100), flag("seed", 1)];
let left = 0;
for (let round = 1; round <= rounds; round += 1) {
  const result = await killRound(seed, round);
  const fine = result.openAfter.length === 0 && result.cleanupCode === 0 && !result.ledgerLeft;
  left += result.openBefore;
  process.stdout.write(
    `round ${round}: killed after ${result.killedAfter} orders, ${result.openBefore} open, after cleanup ${result.openAfter.length}\n`,
  );
  if (!fine) {
    process.stdout.write(`FAILED with --seed ${seed}: ${JSON.stringify(result)}\n`);
    process.exit(1);
  }
}
process.stdout.write(
  `${rounds} rounds, ${left} orders were left by kills and all were cancelled (seed ${seed})\n`,
);
