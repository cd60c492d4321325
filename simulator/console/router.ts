/** The fragment of the address names what is shown, so that every object has a link: `#/orders/ID`. */
import { signal } from "@preact/signals";
// It takes the token out of the address first.
import "./api.ts";

const partsOf = (): readonly string[] =>
  location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = signal<readonly string[]>(partsOf());
addEventListener("hashchange", () => {
  route.value = partsOf();
});

export const to = (...parts: readonly (string | number)[]): string =>
  `#/${parts.map((part) => encodeURIComponent(String(part))).join("/")}`;

export const go = (...parts: readonly (string | number)[]): void => {
  location.hash = to(...parts);
};
