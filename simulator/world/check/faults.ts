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
  const { fault, route, outcome } = rule;
  if (outcome !== undefined && fault !== undefined)
    report.key([...path, "outcome"], "stands in place of a fault: leave one of them out");
  if (fault === undefined && outcome === undefined)
    report.value(path, "needs a fault, or an outcome in its place");
  if (route !== undefined) checkRoute(rule, route, [...path, "route"], report);
  if (fault === undefined) return;
  checkMembers(fault, [...path, "fault"], report);
  if (!isStreamFault(fault as Fault)) return;
  for (const name of ["route", "clientOrderIdPrefix"] as const)
    if (rule[name] !== undefined)
      report.key([...path, name], `does not go with ${fault.kind}, which happens to messages of the stream`);
}

function checkRoute(rule: Partial<FaultEntry>, route: string, path: Path, report: Reporter): void {
  const { fault, outcome } = rule;
  if (!signedRoutes.includes(route)) {
    const near = didYouMean(route, signedRoutes);
    return report.value(
      path,
      `must be a route of the gateway, was ${JSON.stringify(route)}`,
      near ?? `the routes are ${signedRoutes.join(", ")}`,
    );
  }
  // `isOrderFault` looks at the kind only; optional parts of the file do not matter to it.
  const ofOrder = fault !== undefined && isOrderFault(fault as Fault) ? fault.kind : outcome;
  if (route === "POST /order") return;
  if (ofOrder !== undefined)
    return report.value(path, `must be "POST /order": ${ofOrder} happens to an order that is placed`);
  if (fault !== undefined && isStreamFault(fault as Fault)) return;
  const condition = (["product", "clientOrderIdPrefix"] as const).find((name) => rule[name] !== undefined);
  if (condition !== undefined)
    report.value(path, `must be "POST /order": ${condition} is known of an order that is placed only`);
}

/** Members that belong to some faults of their kind only. */
function checkMembers(fault: NonNullable<FaultEntry["fault"]>, path: Path, report: Reporter): void {
  if (fault.kind === "status" && fault.code !== undefined && fault.status !== 503)
    report.key([...path, "code"], "belongs to status 503 only");
  if (fault.kind === "course") checkCourse(fault.steps ?? [], [...path, "steps"], report);
  if (fault.kind !== "externalFailure" || fault.outcome !== "certain") return;
  for (const name of ["resolvesTo", "afterMs"] as const)
    if (fault[name] !== undefined) report.key([...path, name], 'belongs to outcome "unknown" only');
}

/** Kinds that apply to a fill only, and kinds that can only come first. */
function checkCourse(steps: readonly Partial<CourseStep>[], path: Path, report: Reporter): void {
  for (const [index, step] of steps.entries()) {
    if ((step.do === "confirm" || step.do === "fail") && index > 0)
      report.value([...path, index, "do"], `must not be ${step.do}, which is the first step or none`);
    if (step.do === "fill") continue;
    for (const name of ["percent", "betterBy"] as const)
      if (step[name] !== undefined) report.key([...path, index, name], "belongs to a fill only");
  }
}
