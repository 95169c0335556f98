import { Invalid } from '../errors.ts';
import { isBlank, NOT_BLANK } from '../text.ts';

/** Maximum number of characters in the name of an organization or an API key. */
export const MAX_ORGANIZATION_NAME = 100;

/** Trims a name. @throws Invalid the name is blank or too long */
export const requireOrganizationName = (name: string): string => {
  const trimmed = name.trim();
  if (isBlank(trimmed)) throw Invalid.field('name', NOT_BLANK);
  if (Array.from(trimmed).length > MAX_ORGANIZATION_NAME) {
    throw Invalid.field('name', `Must be at most ${MAX_ORGANIZATION_NAME} characters long.`);
  }
  return trimmed;
};
