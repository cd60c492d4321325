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

const probe = document.createElement("i");

/** The value of a colour in the theme that is in force, for what is drawn on a canvas. */
export function colour(name: string): string {
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
