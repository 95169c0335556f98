import { signal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/** The values of a form, as one signal each. */
export type FormDraft<Values extends object> = { readonly [Name in keyof Values]: Signal<Values[Name]> };

const draftOf = <Values extends object>(values: Values): FormDraft<Values> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, signal(value)])) as FormDraft<Values>;

/** Returns the current values of a draft. */
export const valuesOf = <Values extends object>(draft: FormDraft<Values>): Values =>
  Object.fromEntries(
    Object.entries(draft).map(([name, signal]) => [name, (signal as Signal<unknown>).value]),
  ) as Values;

/**
 * Returns a draft with initial values.
 *
 * @param inputs the draft is reset when one of these values changes
 * @returns the draft, and whether it differs from its initial values
 */
export const useDraft = <Values extends object>(
  values: Values,
  inputs: readonly unknown[],
): { draft: FormDraft<Values>; changed: boolean } => {
  const { draft, first } = useMemo(() => ({ draft: draftOf(values), first: JSON.stringify(values) }), inputs);
  return { draft, changed: JSON.stringify(valuesOf(draft)) !== first };
};
