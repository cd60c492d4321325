import process from "node:process";

/** Whether `npm run test:whole` runs. */
export const triesAll = process.env["GATEWRIGHT_TESTS"] === "whole";

/**
 * One row of each `every`, the first included: `npm test` tries these of a long table, and `npm run test:whole` tries
 * all. It is for tables whose rows each take a run of the kit, and differ in what they try, not in how.
 */
export function sampled<Row>(every: number, rows: readonly Row[]): Row[] {
  return triesAll ? [...rows] : rows.filter((_, index) => index % every === 0);
}
