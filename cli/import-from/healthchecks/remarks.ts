import { listNames } from '../remarks.ts';

const MAX_NAMES = 10;

/** Collects the objects that have the same setting without an equivalent, for one sentence about all of them. */
export interface Remarks {
  add: (setting: string, name: string) => void;
  /** Returns the names by setting. */
  entries: () => Iterable<[setting: string, names: readonly string[]]>;
}

export const createRemarks = (): Remarks => {
  const names = new Map<string, string[]>();
  return {
    add: (setting, name) => {
      const known = names.get(setting) ?? [];
      names.set(setting, known);
      known.push(name);
    },
    entries: () => names.entries(),
  };
};

/** Lists names for a sentence: `"a", "b" and 3 more`. */
export const listed = (names: readonly string[]): string => listNames(names, MAX_NAMES);
