/**
 * Positions of the events that a request appended: the highest position of each event type, by log and event type. For
 * a repeated command, the events of its first run count. Readers wait until the read models have reached these
 * positions.
 */
export type Appended = Map<string, Map<string, bigint>>;

/** The read-only view of {@link Appended} for readers. */
export type AppendedPositions = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/**
 * Records appended events, so that later readers can wait for them.
 *
 * @param position position of the final event
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

/** Returns the highest recorded position of a log, or 0 if there is none. */
export const highestPosition = (appended: AppendedPositions, log: string): bigint =>
  [...(appended.get(log)?.values() ?? [])].reduce((highest, position) => (position > highest ? position : highest), 0n);
