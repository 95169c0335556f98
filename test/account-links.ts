import { ACCEPT_PATH, CONSOLE_ACCEPT_PATH, RESET_PATH } from '../domain/organization/user-links.ts';

const partsOf = (link: string): { path: string; token: string } => {
  const { pathname, hash } = new URL(link, 'http://127.0.0.1');
  return { path: pathname, token: new URLSearchParams(hash.slice(1)).get('token') ?? '' };
};

/** The token of a link to the console, from its fragment. */
export const tokenOfLink = (link: string): string => partsOf(link).token;

/** The script-free page of the same invitation or reset, to which messages of earlier releases link. */
export const pageOfLink = (link: string): string => {
  const { path, token } = partsOf(link);
  return `${path === CONSOLE_ACCEPT_PATH ? ACCEPT_PATH : RESET_PATH}?token=${token}`;
};
