/** A sandbox for one test file, of the image that install.md builds. It needs the package testcontainers. */
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";

export interface Sandbox {
  readonly baseUrl: string;
  /** Bearer token of `/__gatewright`. */
  readonly controlToken: string;
  readonly container: StartedTestContainer;
}

/** `settings`: flags of `serve` as variables, such as `{ GATEWRIGHT_SEED: "7", GATEWRIGHT_CLOCK: "manual" }`. */
export async function startSandbox(settings: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const controlToken = crypto.randomUUID();
  const container = await new GenericContainer("gatewright")
    .withExposedPorts(8080)
    .withEnvironment({
      GATEWRIGHT_DB: ":memory:",
      GATEWRIGHT_PUBLIC_DEMO_SECRETS: "true",
      GATEWRIGHT_CONTROL: "remote",
      GATEWRIGHT_CONTROL_TOKEN: controlToken,
      ...settings,
    })
    .withWaitStrategy(Wait.forHttp("/api/v1/trading/health/ready", 8080))
    .start();
  const baseUrl = `http://${container.getHost()}:${container.getMappedPort(8080)}/api/v1/trading`;
  return { baseUrl, controlToken, container };
}
