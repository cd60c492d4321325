import { Document, isCollection, type Node, visit } from "yaml";
import type { ValueMap } from "../model/value.ts";

const flowWidth = 150;

/**
 * Writes a scenario as a file for people: values that fit on a line are on one line, text that YAML would read as a
 * number or as a keyword is quoted, and there are no aliases, because the kit's reader refuses them.
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
