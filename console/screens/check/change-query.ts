import { navigate, currentLocation } from '../../router/router.ts';

/** Returns the current URL with changes to its query; null removes a parameter. */
export const addressWithQuery = (changes: Readonly<Record<string, string | null>>): string => {
  const { path, query } = currentLocation.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
};

/**
 * Changes the query and replaces the current history entry. Use this function for filters only. For opening something,
 * add a history entry instead.
 */
export const replaceQuery = (changes: Readonly<Record<string, string | null>>): void => {
  navigate(addressWithQuery(changes), { replace: true });
};
