import { markdownTable } from './markdown-table.ts';
import { PARTS } from './parts.ts';

const code = (path: string): string => `\`${path}\``;

/** Returns the table of docs/develop/testing.md that says when to run each part of the long suite. */
export const partsTable = (): string => {
  const rows = PARTS.map(({ name, covers, after }) => [
    code(`npm run test:long -- ${name}`),
    covers,
    after.length > 0 ? after.map(code).join(', ') : 'the modules that its files import',
  ]);
  return markdownTable([['command', 'covers', 'run it after a change to'], ...rows]);
};
