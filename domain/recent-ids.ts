/** Maximum distance in events between an event and its repetition for the repetition to be recognised. */
const RECENT_IDS = 100_000;

/** An event id as 16 one-byte characters, which take half the memory of its text. */
const keyOf = (id: string): string =>
  UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1') : id;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ids of the latest events that a reader has processed, to recognise repetitions. */
export interface RecentIds {
  /** Adds an id, and returns whether it is new. It is remembered until `most` others were added. */
  add: (id: string) => boolean;
}

/** @param most how many ids are remembered; 100,000 take about 10 MiB */
export const createRecentIds = (most = RECENT_IDS): RecentIds => {
  const known = new Set<string>();
  /** in the order of their addition; once full, the oldest is at `next` */
  const ring: string[] = [];
  let next = 0;
  return {
    add: (id) => {
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
