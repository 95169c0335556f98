import { markdownTable } from './markdown-table.ts';
import { PARTS } from './parts.ts';

const code = (path: string): string => `\`${path}\``;

/** The table of CONTRIBUTING.md about when to run each part of the long suite. */
export const partsTable = (): string => {
  const rows = PARTS.map(({ name, covers, after }) => [
    code(`npm run test:long -- ${name}`),
    covers,
    after.length > 0 ? after.map(code).join(', ') : 'what its files import',
  ]);
  return markdownTable([['command', 'covers', 'run it after a change to'], ...rows]);
};
