import type { ErrorObject } from 'ajv';
import { readFileSync } from 'node:fs';
import { sentencesOf, WHOLE } from '../../http/sentences.ts';

/** The content of a JSON file. @param wrong makes the error of a sentence that says what is wrong with it */
export const jsonIn = (file: string, wrong: (sentence: string) => Error): unknown => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`it can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(`it is not JSON: ${(error as Error).message}.`);
  }
};

/** What is wrong with what such a file holds. */
export interface Problem {
  /** `limits.checks`; `as a whole` */
  field: string;
  /** the schema has no such field */
  isUnknown: boolean;
  sentence: string;
}

/** The first problem that ajv has found; a field that does not exist comes before all others, as it may be misspelt. */
export const firstProblem = (errors: readonly ErrorObject[]): Problem => {
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties');
  if (unknown) {
    const path = [...unknown.instancePath.slice(1).split('/'), String(unknown.params['additionalProperty'])];
    return { field: path.filter(Boolean).join('.'), isUnknown: true, sentence: 'There is no such field.' };
  }
  const [field = WHOLE, sentences = ['Is not valid.']] = Object.entries(sentencesOf(errors) ?? {})[0] ?? [];
  return { field: field === WHOLE ? 'as a whole' : field, isUnknown: false, sentence: sentences.join(' ') };
};
