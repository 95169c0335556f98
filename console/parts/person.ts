import type { Schemas } from '../api/openapi.d.ts';

type Named = Pick<Schemas['User'], 'email' | 'first_name' | 'last_name'>;

/** The names of somebody; empty: none is known. */
export const namesOf = ({ first_name, last_name }: Named): string =>
  [first_name, last_name].filter((name) => name !== null).join(' ');

/** How somebody is called in lists. */
export const personText = (user: Named): string => namesOf(user) || user.email;
