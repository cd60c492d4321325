import { isTest, isTypeScript } from "./project.ts";
import { type Ban, bannedIn, perFile } from "./rule.ts";

const threeStates = "one of undefined and null is enough: no value is absent in two ways";
const everywhere: readonly Ban[] = [
  { pattern: /\bnull \| undefined\b|\bundefined \| null\b/, message: threeStates },
  { pattern: /\?: [^;,(){}=]*\| null\b(?!\))/, message: threeStates },
];

const isData = "null is what data says; what is not there is undefined";
const outsideTheSimulator: readonly Ban[] = [
  { pattern: /\):[^;={}]*\| null\b/, message: isData },
  { pattern: /(?<![=!<>])= null(?=[;)])/, message: isData },
  { pattern: /#\w+: [^;={}]*\| null\b/, message: isData },
];

/**
 * An absent value is `undefined`, and `null` belongs to data. The state of the simulator is data that is hashed and stored;
 * the code that reads it and decides on it uses `null` as well.
 */
export const absence = perFile(
  "absence",
  (file) => isTypeScript(file) && !isTest(file),
  (file) =>
    bannedIn(file, file.path.startsWith("simulator/") ? everywhere : [...everywhere, ...outsideTheSimulator]),
);
