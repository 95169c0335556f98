/** By log, the highest position of each type of event that was appended, or found done before; readers wait for them. */
export type Appended = Map<string, Map<string, bigint>>;

/** What a writer tells later readers. */
export type Noted = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/**
 * Notes events for those who read afterwards.
 *
 * @param position of the last of them
 */
export const noteAppended = (
  appended: Appended,
  log: string,
  events: readonly { type: string }[],
  position: bigint,
): void => {
  const positions = appended.get(log) ?? new Map<string, bigint>();
  appended.set(log, positions);
  for (const { type } of events) {
    if (position > (positions.get(type) ?? 0n)) positions.set(type, position);
  }
};

/** The highest position that was noted of a log; 0 when there is none. */
export const highestOf = (appended: Noted, log: string): bigint =>
  [...(appended.get(log)?.values() ?? [])].reduce((highest, position) => (position > highest ? position : highest), 0n);
