/** Dark, light, or as the system is. */
import { signal } from "@preact/signals";

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>("auto");
/** Grows when colours change, for what is drawn on a canvas. */
export const paints = signal(0);

/** A browser may forbid a page to keep anything: then the theme is chosen anew each time. */
function tried<T>(storage: () => T): T | null {
  try {
    return storage();
  } catch {
    return null;
  }
}

export function startTheme(): void {
  const kept = tried(() => localStorage.getItem("gatewright-theme"));
  setTheme(themes.find((one) => one === kept) ?? "auto");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (paints.value += 1));
}

export function setTheme(next: Theme): void {
  theme.value = next;
  tried(() => localStorage.setItem("gatewright-theme", next));
  if (next === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = next;
  paints.value += 1;
}

const probe = document.createElement("i");

/** A colour of fixtures/theme.css in the theme that is in force, for what is drawn on a canvas. */
export function colour(name: string): string {
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export const monospace = (): string =>
  getComputedStyle(document.documentElement).getPropertyValue("--mono").trim();
