import { signal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/** What is typed into a form: a signal for each of its values. */
export type Draft<Values extends object> = { readonly [Name in keyof Values]: Signal<Values[Name]> };

const draftOf = <Values extends object>(values: Values): Draft<Values> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, signal(value)])) as Draft<Values>;

/** What a draft holds at the moment. */
export const valuesOf = <Values extends object>(draft: Draft<Values>): Values =>
  Object.fromEntries(Object.entries(draft).map(([name, held]) => [name, (held as Signal<unknown>).value])) as Values;

/**
 * A draft that begins with some values.
 *
 * @param inputs when one of them changes, it begins anew
 * @returns and whether it holds other values than those at its beginning
 */
export const useDraft = <Values extends object>(
  values: Values,
  inputs: readonly unknown[],
): { draft: Draft<Values>; changed: boolean } => {
  const { draft, first } = useMemo(() => ({ draft: draftOf(values), first: JSON.stringify(values) }), inputs);
  return { draft, changed: JSON.stringify(valuesOf(draft)) !== first };
};
