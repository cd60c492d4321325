/**
 * What the property tests draw is the same in each `npm test`, so a rare draw cannot fail a build that changed nothing.
 * `npm run test:whole` draws anew; a failure prints the seed that repeats it.
 */
import fc from "fast-check";
import { triesAll } from "./sampled.js";

fc.configureGlobal(triesAll ? {} : { seed: 1 });
