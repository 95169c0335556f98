import { navigate, place } from '../../router/router.ts';

/** The address of the present screen with some of its query changed; null takes a part away. */
export const addressWith = (changes: Readonly<Record<string, string | null>>): string => {
  const { path, query } = place.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
};

/** Changes the query where "back" is to lead past that: what is filtered, not what is opened. */
export const refine = (changes: Readonly<Record<string, string | null>>): void => {
  navigate(addressWith(changes), { replace: true });
};
