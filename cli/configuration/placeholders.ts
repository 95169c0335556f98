import { isFields } from '../../domain/fields.ts';
import type { Path, Problem } from './paths.ts';

/** Stands for a value that the service stores, and that the files do not contain. */
export const KEPT = '${kept}';

/** Matches a placeholder. `$${env:NAME}` is the text `${env:NAME}`. */
const VARIABLE = /(\$?)\$\{env:([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Maximum number of values in a configuration. Aliases count as often as they are used. */
const MAX_VALUES = 2_000_000;

export interface Replaced {
  value: unknown;
  problems: Problem[];
  /** texts that contain a value of the environment, which may be secret */
  fromEnvironment: Set<string>;
}

/** Replaces `${env:NAME}` in all texts of a value, but not in the names of fields. */
export const replaceVariables = (
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  path: Path = [],
): Replaced => {
  const problems: Problem[] = [];
  const fromEnvironment = new Set<string>();
  let values = 0;

  const replacedText = (text: string, at: Path): string => {
    if (!text.includes('${')) return text;
    const values: string[] = [];
    const result = text.replace(VARIABLE, (whole, escape: string, name: string) => {
      if (escape !== '') return whole.slice(1);
      const found = NAME.test(name) ? environment[name] : undefined;
      if (found === undefined) {
        problems.push({
          path: at,
          sentence: NAME.test(name) ? `The environment variable ${name} is not set.` : `${whole} names no variable.`,
        });
        return '';
      }
      values.push(found);
      return found;
    });
    if (values.length > 0) fromEnvironment.add(result);
    return result;
  };

  const replaced = (part: unknown, at: Path): unknown => {
    values += 1;
    if (values > MAX_VALUES) {
      if (values === MAX_VALUES + 1)
        problems.push({ path: at, sentence: `There are more than ${MAX_VALUES.toLocaleString('en')} values.` });
      return null;
    }
    if (typeof part === 'string') return replacedText(part, at);
    if (Array.isArray(part)) return part.map((item, index) => replaced(item, [...at, index]));
    if (!isFields(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, replaced(one, [...at, name])]));
  };

  return { value: replaced(value, path), problems, fromEnvironment };
};

/** Escapes a text so that {@link replaceVariables} returns it unchanged. */
export const escapeVariables = (text: string): string => text.replace(/\$\{env:[^}]*\}/g, '$$$&');
