import type { Submit } from '../../parts/form/use-submit.ts';

/**
 * Returns the API's error message for a path and all paths below it, such as `parameters.regions.1`, or null if there
 * is none. So a list field shows the errors of its items.
 */
export const problemUnder = (of: Submit, path: string): string | null => {
  const paths = Object.keys(of.failure.value?.fields ?? {}).filter((one) => one.startsWith(`${path}.`));
  const said = [path, ...paths].flatMap((one) => of.problemOf(one) ?? []);
  return said.length === 0 ? null : [...new Set(said)].join(' ');
};
