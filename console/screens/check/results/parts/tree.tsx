import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { words } from '../../../../shell/language.ts';

/** Number of entries of an object or a list that are initially visible. */
const FIRST = 100;
/** Maximum depth of the tree. Deeper values are shown as JSON. */
const DEEPEST = 12;

const entriesOf = (value: object): [string, unknown][] =>
  Array.isArray(value) ? value.map((one, index) => [index.toString(), one as unknown]) : Object.entries(value);

/** Shows any value as a tree of names and nested values. */
export const Tree = ({ value, depth = 0 }: { value: unknown; depth?: number }): JSX.Element => {
  if (typeof value !== 'object' || value === null) return <bdi class="leaf">{String(value)}</bdi>;
  if (depth >= DEEPEST) return <bdi class="leaf">{JSON.stringify(value)}</bdi>;
  return <Branch entries={entriesOf(value)} depth={depth} />;
};

const Branch = ({ entries, depth }: { entries: [string, unknown][]; depth: number }): JSX.Element => {
  const most = useSignal(FIRST);
  if (entries.length === 0) return <span class="leaf">–</span>;
  return (
    <ul class="value-tree">
      {entries.slice(0, most.value).map(([name, value]) => (
        <li key={name}>
          <code>
            <bdi>{name}</bdi>
          </code>{' '}
          <Tree value={value} depth={depth + 1} />
        </li>
      ))}
      {entries.length > most.value && (
        <li>
          <button
            class="button quiet"
            onClick={() => {
              most.value += 10 * FIRST;
            }}
          >
            {words.value.result.showMore(entries.length - most.value)}
          </button>
        </li>
      )}
    </ul>
  );
};
