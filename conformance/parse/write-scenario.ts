import { Document, isCollection, type Node, visit } from "yaml";
import type { ValueMap } from "../model/value.ts";

const flowWidth = 150;

/**
 * A scenario as a file a person reads: what fits on a line stands on one, text that YAML would take for a number or a
 * word of its own is quoted, and nothing is an alias, because our reader refuses both.
 */
export function scenarioText(document: ValueMap): string {
  const yaml = new Document(document, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  visit(yaml, {
    Collection: (_, node, path) => {
      if (path.length > 1 && isShort(node)) node.flow = true;
    },
  });
  return yaml.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

function isShort(node: Node): boolean {
  return isCollection(node) && JSON.stringify(node.toJSON()).length <= flowWidth;
}
