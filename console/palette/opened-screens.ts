/** A screen that the user has opened, such as that of a check, a page or an incident. */
export interface OpenedScreen {
  /** path of the screen below the console's root: `/checks/x4w8b2h7t1zq` */
  to: string;
  name: string;
}

/** Maximum number of stored entries. */
export const MOST_OPENED = 20;

const LONGEST_NAME = 255;
const PATH = /^(?:\/[\w.~%-]{1,100}){2,4}$/;

const isOpened = (found: unknown): found is OpenedScreen => {
  if (typeof found !== 'object' || found === null) return false;
  const { to, name } = found as Record<string, unknown>;
  return (
    typeof to === 'string' && PATH.test(to) && typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME
  );
};

/** Reads the entries from the browser's storage. The stored value may have any form, so invalid entries are dropped. */
export const parseOpened = (found: unknown): readonly OpenedScreen[] =>
  Array.isArray(found)
    ? found
        .slice(0, MOST_OPENED)
        .filter(isOpened)
        .map(({ to, name }) => ({ to, name }))
    : [];

/**
 * Returns the list with a newly opened screen at the front. Tabs within one screen, such as the results of a check,
 * share one entry, because they have the same name.
 */
export const addOpened = (all: readonly OpenedScreen[], { to, name }: OpenedScreen): readonly OpenedScreen[] => {
  const one = { to, name: name.slice(0, LONGEST_NAME) };
  if (!isOpened(one)) return all;
  const rest = all.filter((other) => other.to !== to && !(other.name === one.name && isBelow(other.to, to)));
  return [one, ...rest].slice(0, MOST_OPENED);
};

const isBelow = (one: string, other: string): boolean => one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
