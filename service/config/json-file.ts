import { readFileSync } from 'node:fs';

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
