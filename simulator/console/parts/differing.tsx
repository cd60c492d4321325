/** Two texts, line by line, with the bytes that differ marked. */
import { visible } from "../lib/visible.ts";

interface DifferingProps {
  readonly expected: string;
  readonly actual: string;
  readonly names: readonly [expected: string, actual: string];
}

export const Differing = ({ expected, actual, names }: DifferingProps) => {
  const [left, right] = [expected.split("\n"), actual.split("\n")];
  return (
    <div class="differing">
      {[
        { name: names[0], own: left, other: right },
        { name: names[1], own: right, other: left },
      ].map(({ name, own, other }) => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          <pre tabIndex={0} role="region" aria-label={name}>
            {own.map((line, index) => (
              <div key={index} class={line === other[index] ? "" : "differs"}>
                <span class="gutter">{index + 1}</span>
                <Marked own={line} other={other[index] ?? ""} />
              </div>
            ))}
          </pre>
        </figure>
      ))}
    </div>
  );
};

/** What lies between the common beginning and the common end. */
const Marked = ({ own, other }: { readonly own: string; readonly other: string }) => {
  if (own === other) return <>{visible(own)}</>;
  let head = 0;
  while (head < own.length && own[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < own.length - head && tail < other.length - head && own.at(-1 - tail) === other.at(-1 - tail))
    tail += 1;
  const middle = own.slice(head, own.length - tail);
  return (
    <>
      {visible(own.slice(0, head))}
      <mark>{middle === "" ? "⌀" : visible(middle)}</mark>
      {visible(own.slice(own.length - tail))}
    </>
  );
};
