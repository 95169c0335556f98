import type { Schemas } from '../api/openapi.d.ts';

type Named = Pick<Schemas['User'], 'email' | 'first_name' | 'last_name'>;

/** First and last name of a user; empty: both are unknown. */
export const namesOf = ({ first_name, last_name }: Named): string =>
  [first_name, last_name].filter((name) => name !== null).join(' ');

/** Returns the name of a user in lists. */
export const personText = (user: Named): string => namesOf(user) || user.email;
