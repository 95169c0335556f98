import { Invalid } from '../errors.ts';
import { isBlank, NOT_BLANK } from '../text.ts';

/** Characters of the name of an organization or of an API key. */
export const LONGEST_NAME = 100;

/** A name without spaces around it. @throws Invalid it is blank or too long */
export const checkedName = (name: string): string => {
  const trimmed = name.trim();
  if (isBlank(trimmed)) throw Invalid.field('name', NOT_BLANK);
  if (Array.from(trimmed).length > LONGEST_NAME) {
    throw Invalid.field('name', `Must be at most ${LONGEST_NAME} characters long.`);
  }
  return trimmed;
};
