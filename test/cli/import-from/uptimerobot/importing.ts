import { read } from '../../../../cli/import-from/uptimerobot/source.ts';
import type { Imported } from '../../../../cli/import-from/imported.ts';
import { assertAccepted } from '../assert-accepted.ts';

/** Imports a file, and asserts that the API accepts the objects. */
export const imported = (name: string, text: string): Imported => {
  const result = read([{ name, text }]);
  assertAccepted(result.configuration);
  return result;
};
