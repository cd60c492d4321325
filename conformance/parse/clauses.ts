import {
  type CertificatePart,
  type Clause,
  type ClauseBasis,
  type ClauseLevel,
  ClauseRegister,
  type Promising,
} from "../model/clause.ts";
import { asMap, isList, type Value } from "../model/value.ts";

/**
 * The register of fixtures/spec/clauses.json. The file belongs to the project and has its own tests, so it is read in
 * this process and not validated.
 */
export function toClauses(text: string): ClauseRegister {
  const listed = asMap(JSON.parse(text) as Value)["clauses"];
  return new ClauseRegister((isList(listed) ? listed : []).map((item) => toClause(asMap(item))));
}

function toClause(item: ReturnType<typeof asMap>): Clause {
  const where = asMap(item["where"]);
  const place = [where["section"], where["rule"], where["field"]]
    .filter((part) => part !== undefined)
    .join(", ");
  return {
    id: String(item["id"]),
    statement: String(item["statement"]),
    level: item["level"] as ClauseLevel,
    basis: item["basis"] as ClauseBasis,
    ...(typeof item["why"] === "string" ? { why: item["why"] } : {}),
    promisedBy: (isList(item["promisedBy"]) ? item["promisedBy"] : []).map(
      (one) => asMap(one) as unknown as Promising,
    ),
    aliasOf: item["aliasOf"] === undefined ? [] : [item["aliasOf"]].flat().map(String),
    certificate: (item["certificate"] as CertificatePart | undefined) ?? "core",
    sublevels: (isList(item["sublevels"]) ? item["sublevels"] : []).map(
      (part) => asMap(part)["level"] as ClauseLevel,
    ),
    needs: item["needs"] === undefined ? [] : [item["needs"]].flat().map(String),
    ...(place === "" ? {} : { where: place }),
    ...(typeof item["how"] === "string" ? { how: item["how"] } : {}),
  };
}
