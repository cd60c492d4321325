/** `npm run bench:bisect`: whether bisect names the planted mistake of each client, with how many runs and in what time. */
import process from "node:process";
import { bisect } from "../bin/bisect/bisect.ts";
import { plantedClients } from "../bin/bisect/testing/planted.ts";

let wrong = 0;
for (const { name, mistake, command, causes } of plantedClients) {
  const found = await bisect({
    command,
    runs: 60,
    seed: 1,
    limitMs: 30_000,
    jobs: 2,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const named = found.points.map(({ id }) => id);
  const isRight = found.kind === "broken" && named.length === 1 && causes.test(named[0] ?? "");
  if (!isRight) wrong += 1;
  const { seed, activated, runs, durationMs } = found;
  process.stdout.write(
    `${name.padEnd(18)} ${isRight ? "right" : `WRONG (${found.kind})`}: ${named.join(" + ")}, of ${activated} points of seed ${seed}; ${runs} runs, ${(durationMs / 1000).toFixed(1)} s (${mistake})\n`,
  );
}
process.exitCode = wrong === 0 ? 0 : 1;
