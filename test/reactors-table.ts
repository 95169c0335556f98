import type { ReactorDefinition } from '../reactors/engine/define.ts';
import { markdownTable } from './markdown-table.ts';

const code = (text: string): string => `\`${text}\``;

/**
 * Formats the list of a reactor's items with its collections, and then the other read models that the reactor follows.
 */
const listsOf = ({ follows: [own, ...others] }: ReactorDefinition): string =>
  [
    own.collections.map((name) => code(`${own.projection.name}.${name}`)).join(', '),
    ...others.map(({ projection }) => code(projection.name)),
  ].join(', ');

/** Returns the table of `docs/develop/reactors.md`, with all reactors in the order of their names. */
export const reactorsTable = (reactors: readonly ReactorDefinition[]): string => {
  const rows = [...reactors]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((reactor) => [code(reactor.name), reactor.does, listsOf(reactor), reactor.countsEarlier ? 'yes' : 'no']);
  return markdownTable([['reactor', 'action', 'read models', 'earlier items'], ...rows]);
};
