import { ACCEPT_PATH, CONSOLE_ACCEPT_PATH, RESET_PATH } from '../domain/organization/user-links.ts';

const partsOf = (link: string): { path: string; token: string } => {
  const { pathname, hash } = new URL(link, 'http://127.0.0.1');
  return { path: pathname, token: new URLSearchParams(hash.slice(1)).get('token') ?? '' };
};

/** Returns the token in the fragment of a link to the console. */
export const tokenOfLink = (link: string): string => partsOf(link).token;

/**
 * Returns the URL of the script-free page for the same invitation or password reset. Messages of earlier releases
 * contain that URL.
 */
export const pageOfLink = (link: string): string => {
  const { path, token } = partsOf(link);
  return `${path === CONSOLE_ACCEPT_PATH ? ACCEPT_PATH : RESET_PATH}?token=${token}`;
};
