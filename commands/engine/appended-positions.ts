/**
 * By log, the highest position of each event type that a request appended (or that an earlier run of the same command
 * appended). Readers wait until the read models have reached these positions.
 */
export type Appended = Map<string, Map<string, bigint>>;

/** The read-only view of {@link Appended} for readers. */
export type AppendedPositions = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/**
 * Records appended events, so that later readers can wait for them.
 *
 * @param position the position of the last event
 */
export const recordAppended = (
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

/** The highest recorded position of a log; 0 if there is none. */
export const highestPosition = (appended: AppendedPositions, log: string): bigint =>
  [...(appended.get(log)?.values() ?? [])].reduce((highest, position) => (position > highest ? position : highest), 0n);
