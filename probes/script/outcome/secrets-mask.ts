import { MASKED_TEXT } from '../../../domain/masking.ts';
import { createMask, type Mask } from '../../engine/masking.ts';
import { secretFormsOf } from '../../engine/secret-forms.ts';

/** Minimum number of characters for the beginning of a secret to be recognised. */
const TELLING = 8;

/**
 * Creates a mask that also finds the beginning of a secret at an ellipsis or at the end of a text. Secrets may be cut
 * off, because Playwright shortens values and elements.
 */
export const createSecretsMask = (secrets: readonly string[]): Mask => {
  const mask = createMask(secrets);
  let forms: Forms | null = null;
  return (text) => {
    forms ??= formsByBeginning(secrets);
    const masked = mask(text);
    return forms.longest === 0 ? masked : withoutBeginnings(masked, forms);
  };
};

interface Forms {
  byBeginning: ReadonlyMap<string, readonly string[]>;
  /** length of the longest form, in characters; 0 if there are no forms */
  longest: number;
}

const formsByBeginning = (secrets: readonly string[]): Forms => {
  const byBeginning = new Map<string, string[]>();
  let longest = 0;
  for (const text of new Set(secrets.flatMap(secretFormsOf).map((form) => form.text))) {
    if (text.length <= TELLING) continue;
    longest = Math.max(longest, text.length);
    const beginning = text.slice(0, TELLING);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), text]);
  }
  return { byBeginning, longest };
};

const withoutBeginnings = (text: string, { byBeginning, longest }: Forms): string => {
  let done = 0;
  let looked = 0;
  let pieces = '';
  for (const end of cutOffsIn(text)) {
    for (let at = Math.max(looked, end - longest); at + TELLING <= end; at++) {
      const found = byBeginning.get(text.slice(at, at + TELLING));
      if (!found?.some((form) => form.startsWith(text.slice(at, end)))) continue;
      pieces += text.slice(done, at) + MASKED_TEXT;
      done = looked = end;
      break;
    }
  }
  return pieces + text.slice(done);
};

/**
 * Returns the positions at which a text may have been cut: its ellipses and its end. Each dot of `...` is a position,
 * because the first dot may belong to the secret.
 */
const cutOffsIn = (text: string): number[] => [
  ...Array.from(text.matchAll(/…|\.(?=\.\.)|(?<=\.)\.(?=\.)|(?<=\.\.)\./g), ({ index }) => index),
  text.length,
];
