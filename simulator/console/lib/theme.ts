/** Dark, light, or as the system is. */
import { signal } from "@preact/signals";

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>("auto");
/** Grows when colours change, for what is drawn on a canvas. */
export const paints = signal(0);

export function startTheme(): void {
  const kept = localStorage.getItem("gatewright-theme");
  setTheme(themes.find((one) => one === kept) ?? "auto");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (paints.value += 1));
}

export function setTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem("gatewright-theme", next);
  if (next === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = next;
  paints.value += 1;
}

/** A colour of the style sheet as it is now. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
