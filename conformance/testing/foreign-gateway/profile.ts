import path from "node:path";
import { packageRoot } from "../../package-root.ts";
import type { Gateway } from "./gateway.ts";
import { keys } from "./world.ts";

export const profileFile = path.join(packageRoot(), "conformance/testing/foreign-gateway/profile.yaml");

/** The options of a run of the kit that aim it at this gateway. */
export function profile(
  gateway: Pick<Gateway, "origin">,
  file = profileFile,
): {
  profile: string;
  environment: Record<string, string>;
} {
  const base = `${gateway.origin}/api/v1/trading`;
  const secrets = Object.entries(keys).map(([role, { secret }]) => [
    `FOREIGN_${role.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
    secret,
  ]);
  return {
    profile: file,
    environment: {
      FOREIGN_BASE_URL: `http://${base}`,
      FOREIGN_WS_URL: `ws://${base}/feed`,
      ...Object.fromEntries(secrets),
    },
  };
}
