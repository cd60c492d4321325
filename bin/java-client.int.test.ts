/** Java's own client, as it is: over plain http it offers HTTP/2 with each request. Through sandbox, recorder and signing proxy. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startRecordingProxy, startSigningProxy } from "../conformance/commands.ts";
import { startSimulator } from "../simulator/index.ts";

const program = `import java.net.URI;
import java.net.http.*;
import java.time.Duration;

class Ask {
  public static void main(String[] bases) throws Exception {
    var client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();
    for (var base : bases)
      for (var method : new String[] {"GET", "HEAD", "POST", "POST", "GET"}) {
        var isPost = method.equals("POST");
        var body = isPost
            ? HttpRequest.BodyPublishers.ofString("{\\"text\\":\\"" + "x".repeat(4000) + "\\"}")
            : HttpRequest.BodyPublishers.noBody();
        var request = HttpRequest.newBuilder(URI.create(base + (isPost ? "/order" : "/health/live")))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(method, body).build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.print(answer.version() + " " + answer.statusCode() + " ");
      }
  }
}
`;

it("uses the sandbox, its recorder and its signing proxy", async (context) => {
  if (spawnSync("java", ["--version"]).status !== 0) return context.skip();
  const folder = mkdtempSync(path.join(tmpdir(), "java-"));
  const [source, file] = [path.join(folder, "Ask.java"), path.join(folder, "a.recording")];
  writeFileSync(source, program);
  await using simulator = await startSimulator();
  const target = simulator.baseUrl;
  const recorder = await startRecordingProxy({ target, file, notice: () => undefined });
  const [key] = simulator.keys;
  const signer = await startSigningProxy({ target, keyId: key?.keyId ?? "", secret: key?.secret ?? "" });
  const flags = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
  const { stdout } = await promisify(execFile)("java", [...flags, source, target, recorder.url, signer.url]);
  await recorder.close();
  await signer.close();
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes('"exchange"'));
  rmSync(folder, { recursive: true });
  const asked = (post: number): string =>
    [200, 200, post, post, 200].map((status) => `HTTP_1_1 ${status} `).join("");
  // An order without a signature is 401, and one that is none is 400.
  expect(stdout).toBe(asked(401) + asked(401) + asked(400));
  expect(lines).toHaveLength(5);
});
