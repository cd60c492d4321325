import process from "node:process";
import { afterEach, expect, it, vi } from "vitest";
import { openPage } from "./open-page.ts";

afterEach(() => vi.unstubAllEnvs());

it.skipIf(process.platform === "win32")(
  "says which page to open where no browser can be started",
  async () => {
    vi.stubEnv("PATH", "/nowhere");
    const said = await new Promise<string>((resolve) =>
      openPage("http://127.0.0.1:1/console#token=t", resolve),
    );
    expect(said).toContain("open http://127.0.0.1:1/console#token=t");
  },
);
