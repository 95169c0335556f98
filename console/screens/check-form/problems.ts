import type { Submit } from '../../parts/form/use-submit.ts';

/**
 * What the API says of a field and of all beneath it, such as `parameters.regions.1`; null: nothing. So a field that is
 * a list shows what is wrong with its elements.
 */
export const problemUnder = (of: Submit, path: string): string | null => {
  const paths = Object.keys(of.failure.value?.fields ?? {}).filter((one) => one.startsWith(`${path}.`));
  const said = [path, ...paths].flatMap((one) => of.problemOf(one) ?? []);
  return said.length === 0 ? null : [...new Set(said)].join(' ');
};
