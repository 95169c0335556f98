import type { ErrorObject } from 'ajv';
import { readFileSync } from 'node:fs';
import { messagesOf, WHOLE_KEY } from '../../http/validation-messages.ts';

/**
 * Reads a JSON file.
 *
 * @param wrong creates an error from a sentence that describes the problem
 */
export const jsonIn = (file: string, wrong: (sentence: string) => Error): unknown => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(`it is not valid JSON: ${(error as Error).message}.`);
  }
};

/** A problem with the content of a JSON file. */
export interface Problem {
  /** path of the field, such as `limits.checks`, or `as a whole` */
  field: string;
  /** whether the schema has no such field */
  isUnknown: boolean;
  sentence: string;
}

/**
 * Returns the most useful of the problems that ajv has reported. Unknown fields come first, because they may be
 * misspelt.
 */
export const firstProblem = (errors: readonly ErrorObject[]): Problem => {
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties');
  if (unknown) {
    const path = [...unknown.instancePath.slice(1).split('/'), String(unknown.params['additionalProperty'])];
    return { field: path.filter(Boolean).join('.'), isUnknown: true, sentence: 'No such field exists.' };
  }
  const [field = WHOLE_KEY, sentences = ['Is not valid.']] = Object.entries(messagesOf(errors) ?? {})[0] ?? [];
  return { field: field === WHOLE_KEY ? 'as a whole' : field, isUnknown: false, sentence: sentences.join(' ') };
};
