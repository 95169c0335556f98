import type { Coordination } from '../../../stores/coordination/port.ts';

/** A note that a projection version is not used by the release that wrote the note. */
export interface UnusedMark {
  /** When the version was first seen in this state, in milliseconds since 1970. */
  since: number;
  /** The state of the version at that time, as text. If the state has changed, a process has used the version. */
  seen: string;
}

const PREFIX = 'unused:';

/** Reads all marks, by name@version. */
export const readUnusedMarks = async (values: Pick<Coordination, 'readByPrefix'>): Promise<Map<string, UnusedMark>> =>
  new Map(
    (await values.readByPrefix(PREFIX))
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [name.slice(PREFIX.length), JSON.parse(value) as UnusedMark]),
  );

/** @param version name@version */
export const writeUnusedMark = (
  values: Pick<Coordination, 'write'>,
  version: string,
  mark: UnusedMark,
): Promise<void> => values.write(PREFIX + version, JSON.stringify(mark));

export const removeUnusedMark = (values: Pick<Coordination, 'write'>, version: string): Promise<void> =>
  values.write(PREFIX + version, '');

/** Splits name@version. The version is not a number if another program has written the text. */
export const splitVersion = (text: string): { name: string; version: number } => {
  const at = text.lastIndexOf('@');
  return { name: text.slice(0, at), version: Number(text.slice(at + 1)) };
};
