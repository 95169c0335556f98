import type { Submit } from '../../parts/form/use-submit.ts';

/**
 * Returns the API's error messages for a path and for all paths below it, or null if there are none. A list field thus
 * shows the errors of its items, such as `parameters.regions.1`.
 */
export const problemUnder = (of: Submit, path: string): string | null => {
  const paths = Object.keys(of.failure.value?.fields ?? {}).filter((one) => one.startsWith(`${path}.`));
  const said = [path, ...paths].flatMap((one) => of.problemOf(one) ?? []);
  return said.length === 0 ? null : [...new Set(said)].join(' ');
};
