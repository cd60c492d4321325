import process from "node:process";

/** Our environment without the variables that name a gateway, its keys and its tokens. */
export const environmentWithoutOurs = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GATEWRIGHT_")));
