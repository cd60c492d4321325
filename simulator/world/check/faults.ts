/** Fault rules, of a world file and of the control surface: repeated names, unknown names, conditions that never hold. */
import { type CourseStep, type Fault, isOrderFault, isStreamFault } from "../../domain/fault.ts";
import { didYouMean } from "../../domain/nearest-name.ts";
import { signedRoutes } from "../../domain/route-claims.ts";
import type { Path } from "../../schema/problem.ts";
import type { FaultEntry } from "../schema.ts";
import type { Known, Reporter } from "./reporter.ts";

/** `section` is what the list of rules is called where it was written. */
export function checkFaults(
  section: string,
  rules: readonly (Partial<FaultEntry> | null)[],
  known: Known<"products" | "keys">,
  report: Reporter,
): void {
  report.unique(
    section,
    "id",
    rules.map((rule) => rule?.id ?? null),
  );
  for (const [index, rule] of rules.entries()) {
    if (rule !== null) checkFault(rule, [section, index], known, report);
  }
}

function checkFault(
  rule: Partial<FaultEntry>,
  path: Path,
  known: Known<"products" | "keys">,
  report: Reporter,
): void {
  if (rule.product !== undefined)
    report.known([...path, "product"], "value", "products", rule.product, known);
  if (rule.key !== undefined) report.known([...path, "key"], "value", "keys", rule.key, known);
  const { fault, route } = rule;
  if (fault === undefined) return;
  if (fault.kind === "externalFailure" && fault.outcome === "certain") {
    for (const name of ["resolvesTo", "afterMs"] as const) {
      if (fault[name] !== undefined)
        report.key([...path, "fault", name], 'belongs to outcome "unknown" only');
    }
  }
  if (fault.kind === "course") checkCourse(fault.steps ?? [], [...path, "fault", "steps"], report);
  if (isStreamFault(fault as Fault)) {
    for (const name of ["route", "clientOrderIdPrefix"] as const) {
      if (rule[name] !== undefined)
        report.key(
          [...path, name],
          `does not go with ${fault.kind}, which happens to messages of the stream`,
        );
    }
  }
  if (route !== undefined && !signedRoutes.includes(route)) {
    const near = didYouMean(route, signedRoutes);
    report.value(
      [...path, "route"],
      `must be a route of the gateway, was ${JSON.stringify(route)}`,
      near ?? `the routes are ${signedRoutes.join(", ")}`,
    );
    return;
  }
  // `isOrderFault` looks at the kind only; what the file may leave out does not matter to it.
  const ofOrder = isOrderFault(fault as Fault);
  if (ofOrder && route !== undefined && route !== "POST /order") {
    report.value(
      [...path, "route"],
      `must be "POST /order": ${fault.kind} happens to an order that is placed`,
    );
  }
}

/** What is only of a fill, and what only comes first. */
function checkCourse(steps: readonly Partial<CourseStep>[], path: Path, report: Reporter): void {
  for (const [index, step] of steps.entries()) {
    if ((step.do === "confirm" || step.do === "fail") && index > 0)
      report.value([...path, index, "do"], `must not be ${step.do}, which is the first step or none`);
    if (step.do === "fill") continue;
    for (const name of ["percent", "betterBy"] as const)
      if (step[name] !== undefined) report.key([...path, index, name], "belongs to a fill only");
  }
}
