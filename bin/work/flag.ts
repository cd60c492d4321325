/** How a command of the kit is told to let workers do it. */
import { Option } from "@commander-js/extra-typings";
import { withVariable } from "../flag-environment.ts";

/** Also as a variable: a password should stand in no list of processes. */
export const workersFlag = () =>
  withVariable(
    new Option(
      "--workers <url>",
      "let the workers at this PostgreSQL run it (`gatewright work --store`): postgres://user@host/name",
    ),
  );
