import { Invalid } from '../errors.ts';
import { isBlank, NOT_BLANK } from '../text.ts';

/** Maximum length in characters of the name of an organization or an API key. */
export const LONGEST_NAME = 100;

/** Trims a name. @throws Invalid it is blank or too long */
export const checkedName = (name: string): string => {
  const trimmed = name.trim();
  if (isBlank(trimmed)) throw Invalid.field('name', NOT_BLANK);
  if (Array.from(trimmed).length > LONGEST_NAME) {
    throw Invalid.field('name', `Must be at most ${LONGEST_NAME} characters long.`);
  }
  return trimmed;
};
