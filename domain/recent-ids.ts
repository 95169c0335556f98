/** How many events of the results log may lie between an event and its repetition for it to be recognized. */
const RECENT_IDS = 100_000;

/** Ids of events as 16 one-byte characters, which take half the memory of their text. */
const keyOf = (id: string): string =>
  UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1') : id;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ids of the last events that a reader got, to recognize those that come again. */
export interface RecentIds {
  /** Whether an id is new. It is known from now on, until enough others have come. */
  take: (id: string) => boolean;
}

/** @param most how many ids are remembered; 100,000 take about 10 MiB */
export const createRecentIds = (most = RECENT_IDS): RecentIds => {
  const known = new Set<string>();
  /** in their order, the oldest at `next` once it is full */
  const ring: string[] = [];
  let next = 0;
  return {
    take: (id) => {
      const key = keyOf(id);
      if (known.has(key)) return false;
      known.add(key);
      const oldest = ring[next];
      if (oldest !== undefined) known.delete(oldest);
      ring[next] = key;
      next = (next + 1) % most;
      return true;
    },
  };
};
