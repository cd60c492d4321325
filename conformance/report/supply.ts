import { adviceOf } from "../runner/prepare/capability.ts";

/** The user's action that makes a clause with this need testable; `a|b` means that one of the two is enough. */
export function supplyOf(need: string): string {
  return need.split("|").map(oneSupply).join(", or ");
}

function oneSupply(need: string): string {
  const [kind = "", name = ""] = need.split(":");
  switch (kind) {
    case "operation":
      return `map operations.${name} in the profile (or say that it is absent)${name === "readOrder" ? ", unless a repeated placement shows an order as it is" : ""}`;
    case "capability":
      return /^(?:ws|list|cancel)\b/.test(name) ? adviceOf(name) : `${adviceOf(name)}: present or absent`;
    case "credential":
      return `add credentials.${name} to the profile`;
    case "fact":
      return `state facts.${name} in the profile`;
    default:
      return `supply ${need}`;
  }
}
