/**
 * The token of this tab. It comes in the fragment of the link, which no server sees, and leaves the address at once. It is also
 * in `sessionStorage`, so that a reload does not lock the reader out: that storage is of this tab and this address alone and
 * ends with the tab.
 */
import { signal } from "@preact/signals";

const stored = "gatewright-token";

export const token = signal("");
/** The sandbox has refused the token. */
export const tokenRefused = signal(false);

export const controlPrefix = "/__gatewright";
export const tradingPrefix = "/api/v1/trading";

/** Reads `#token=…`, alone or behind a place: `#/main/orders?token=…`. */
export function takeToken(): void {
  const found = /(?:^#|[?&])token=([^&]*)/.exec(location.hash);
  if (found === null) {
    token.value = sessionStorage.getItem(stored) ?? "";
    return;
  }
  const rest = location.hash.replace(found[0], "");
  history.replaceState(null, "", `${location.pathname}${rest.length > 1 ? rest : ""}`);
  useToken(decodeURIComponent(found[1] ?? ""));
}

export function useToken(text: string): void {
  token.value = text;
  tokenRefused.value = false;
  sessionStorage.setItem(stored, text);
}
