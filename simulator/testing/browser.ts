/** A Chromium of this machine, and a page of the console in it. */
import { existsSync } from "node:fs";
import process from "node:process";
import { type Browser, chromium, type Page } from "playwright-core";

const places = [
  process.env["GATEWRIGHT_CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Undefined where none is found: then the tests that need one are skipped. */
export const executable = places.find((place) => place !== "" && existsSync(place));

export const launch = (): Promise<Browser> =>
  chromium.launch({
    ...(executable === undefined ? {} : { executablePath: executable }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

export async function openPage(
  browser: Browser,
  address: string,
  look: { readonly width?: number; readonly colorScheme?: "dark" | "light" } = {},
): Promise<Page> {
  const { width = 1280, colorScheme = "light" } = look;
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  return page;
}

/** The page goes to another view without being loaded again. */
export const show = (page: Page, hash: string): Promise<void> =>
  page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
