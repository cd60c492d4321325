/** A variable of the environment for each flag of a command: containers and services have no other place for them. */
import process from "node:process";
import type { Command, Option } from "@commander-js/extra-typings";

const variableOf = ({ long }: Option): string =>
  `GATEWRIGHT_${(long ?? "").slice(2).replaceAll("-", "_").toUpperCase()}`;

/** A flag without a value is set by any text but these. An empty variable is one that is not set, for every flag. */
const off = /^(?:|0|false|no|off)$/i;

/** A flag that its variable can give, too. */
export function withVariable<Flag extends Option>(option: Flag): Flag {
  const variable = variableOf(option);
  const text = process.env[variable] ?? "true";
  const takesValue = option.required || option.optional;
  if (takesValue ? text !== "" : !off.test(text)) option.env(variable);
  return option;
}

/** The flags that are declared from here on have one each. Commander listens to it if the flag has it when it is added. */
export function withVariables(command: Command): Command {
  const add = command.addOption.bind(command);
  const addWithVariable = (option: Option): Command => add(withVariable(option)) as Command;
  return Object.assign(command, { addOption: addWithVariable as Command["addOption"] });
}
