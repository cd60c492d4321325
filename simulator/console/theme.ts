/** Dark or light: the reader's choice, or that of the machine. */
import { effect, signal } from "@preact/signals";

type Theme = "dark" | "light";

const dark = matchMedia("(prefers-color-scheme: dark)");
const ofMachine = (): Theme => (dark.matches ? "dark" : "light");
const kept = (): string | null => {
  try {
    return localStorage.getItem("gatewright-theme");
  } catch {
    return null;
  }
};

const chosen = kept();
export const theme = signal<Theme>(chosen === "dark" || chosen === "light" ? chosen : ofMachine());
dark.addEventListener("change", () => {
  if (kept() === null) theme.value = ofMachine();
});
effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

export function turnTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("gatewright-theme", theme.value);
  } catch {
    // A browser that keeps nothing shows what was chosen until the page is closed.
  }
}

export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();
