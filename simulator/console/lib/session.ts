/**
 * The token of this tab. It comes in the fragment of the link, which no server sees, leaves the address at once, and is kept in
 * memory alone: a page that is loaded again asks for the link.
 */
import { signal } from "@preact/signals";

export const token = signal("");
/** The sandbox has refused the token. */
export const tokenRefused = signal(false);

/** The key that was chosen last, in whichever view. */
export const lastKey = signal("trader");

export const controlPrefix = "/__gatewright";
export const tradingPrefix = "/api/v1/trading";

/** Reads `#token=…`, alone or behind a place: `#/main/orders?token=…`. */
export function takeToken(): void {
  const found = /(?:^#|[?&])token=([^&]*)/.exec(location.hash);
  if (found === null) return;
  const rest = location.hash.replace(found[0], "");
  history.replaceState(null, "", `${location.pathname}${rest.length > 1 ? rest : ""}`);
  useToken(decodeURIComponent(found[1] ?? ""));
}

export function useToken(text: string): void {
  token.value = text;
  tokenRefused.value = false;
}
