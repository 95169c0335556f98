import type { Schemas } from '../api/openapi.d.ts';

type Named = Pick<Schemas['User'], 'email' | 'first_name' | 'last_name'>;

/** Returns the first and last name of a user, or an empty text if both are unknown. */
export const namesOf = ({ first_name, last_name }: Named): string =>
  [first_name, last_name].filter((name) => name !== null).join(' ');

/** Returns how lists name a user: by first and last name, or else by e-mail address. */
export const personText = (user: Named): string => namesOf(user) || user.email;
