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
 * What is not there is `undefined`, and `null` is what data says. The state of the simulator is data, hashed and stored
 * as it stands; what reads and decides beside it says `null` as well.
 */
export const absence = perFile(
  "absence",
  (file) => isTypeScript(file) && !isTest(file),
  (file) =>
    bannedIn(file, file.path.startsWith("simulator/") ? everywhere : [...everywhere, ...outsideTheSimulator]),
);
