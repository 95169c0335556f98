import type { Command } from 'commander';
import { PRODUCTS } from './import-from/products.ts';

/**
 * The commands that finish even if the reader of their output is gone, because their exit code is a verdict, or because
 * their work must not stay half done.
 */
export const FINISHING: ReadonlySet<string> = new Set([
  'audit verify',
  'backup',
  'export',
  'import',
  ...PRODUCTS.map(({ name }) => `import-from ${name}`),
  'keys export',
  'keys import',
  'probe',
  'rebuild',
  'replay verify',
  'restore',
  'statement verify',
  'verify',
]);

/** Returns the names of a command and its parents, without the name of the program. */
export const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
