/** The tools over standard input and output, by the official SDK of the Model Context Protocol. */
import type { McpServer } from "@modelcontextprotocol/server";
import { CommandFailure } from "../command-failure.ts";
import { jsonText } from "../screen.ts";
import type { Arguments, Tool } from "./tools.ts";

const packageName = "@modelcontextprotocol/server";

/** Ends when standard input does. */
export async function serveTools(tools: readonly Tool[], version: string): Promise<void> {
  const { McpServer, StdioServerTransport, fromJsonSchema } = await loadSdk();
  const server = new McpServer({ name: "gatewright", version });
  const transport = new StdioServerTransport();
  for (const tool of tools) {
    const schema = {
      type: "object" as const,
      properties: tool.properties,
      required: [...tool.required],
      additionalProperties: false,
    };
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: fromJsonSchema<Arguments>(schema as Parameters<typeof fromJsonSchema>[0]),
        annotations: { readOnlyHint: tool.reads, openWorldHint: false },
      },
      (given) => answerOf(tool, given),
    );
  }
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await server.connect(transport);
  await closed;
}

async function loadSdk() {
  try {
    return {
      ...(await import("@modelcontextprotocol/server")),
      ...(await import("@modelcontextprotocol/server/stdio")),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CommandFailure(
      `gatewright mcp needs the package ${packageName}, which is installed only by who wants it: npm i -D ${packageName}`,
    );
  }
}

type Answered = Awaited<ReturnType<Parameters<McpServer["registerTool"]>[2]>>;

/** A refusal is an answer that the assistant can read, and act on. */
async function answerOf(tool: Tool, given: Arguments): Promise<Answered> {
  try {
    return { content: [{ type: "text", text: jsonText(await tool.run(given), 2) }] };
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: (error as Error).message }] };
  }
}
