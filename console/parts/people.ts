import { useRef } from 'preact/hooks';
import { call } from '../session/call.ts';
import { useLoaded } from '../session/loaded.ts';

/**
 * Returns the e-mail addresses of the organization's users, by user id. The addresses are loaded only if `ids` contains
 * an id. API keys and removed users are not included.
 */
export const usePeople = (ids: Iterable<string | null>): ReadonlyMap<string, string> => {
  const isAnyone = useRef(false);
  for (const id of ids) if (id !== null) isAnyone.current = true;
  const { loaded } = useLoaded(
    async (signal) => {
      const users = isAnyone.current ? await call('GET /v1/users', {}, { signal }) : [];
      return new Map(users.map(({ id, email }) => [id, email]));
    },
    [isAnyone.current],
  );
  return loaded.status === 'loaded' ? loaded.value : NOBODY;
};

const NOBODY: ReadonlyMap<string, string> = new Map();
