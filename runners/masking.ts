import { MASK } from '../domain/check/sealing.ts';
import { formsOf, SHORTEST_FORM, type Form } from './secret-forms.ts';

/** Replaces every secret in a text by {@link MASK}. */
export type Mask = (text: string) => string;

/**
 * Makes a mask of secrets: each is found as it is and in the forms in which servers and scripts repeat what they
 * were told, such as URL-encoded, base64 or escaped for JSON (secret-forms.ts). Secrets of fewer than four
 * characters are not looked for: they would be found where they are not meant. A text should be masked before it
 * is cut, since half of a secret is not found.
 */
export const createMask = (secrets: Iterable<string>): Mask => {
  let index: Index | null = null;
  return (text) => {
    index ??= indexOf(secrets);
    return index.size === 0 ? text : masked(text, index);
  };
};

/** By their first characters, the longest first, so that no rest of one stays. */
type Index = ReadonlyMap<string, readonly Form[]>;

const indexOf = (secrets: Iterable<string>): Index => {
  const index = new Map<string, Form[]>();
  for (const secret of new Set(secrets)) {
    for (const form of formsOf(secret)) {
      const start = form.text.slice(0, SHORTEST_FORM);
      const others = index.get(start);
      if (others) others.push(form);
      else index.set(start, [form]);
    }
  }
  for (const forms of index.values()) forms.sort((one, other) => other.text.length - one.text.length);
  return index;
};

const masked = (text: string, index: Index): string => {
  const pieces: string[] = [];
  let done = 0;
  let at = 0;
  while (at + SHORTEST_FORM <= text.length) {
    const here = at;
    const form = index.get(text.slice(at, at + SHORTEST_FORM))?.find((one) => text.startsWith(one.text, here));
    if (!form) {
      at++;
      continue;
    }
    let end = at + form.text.length;
    if (form.partOf) {
      while (at > done && form.partOf.test(text.charAt(at - 1))) at--;
      while (end < text.length && form.partOf.test(text.charAt(end))) end++;
    }
    pieces.push(text.slice(done, at), MASK);
    done = at = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
};
