import type { Pause } from '../../domain/concurrency/time-slices.ts';
import { byPosition, type RecordedEvent } from '../../domain/event.ts';

type Events = readonly RecordedEvent[];

/** Number of events that are sorted without a pause. */
const EVENTS_PER_SORT = 4_000;
/** Number of events that are merged without a pause. */
const EVENTS_PER_STEP = 1_000;

/** Sorts events by their positions in the log, in time slices. */
export const inLogOrder = async (events: Events, pause: Pause): Promise<Events> => {
  const sorted: Events[] = [];
  for (let first = 0; first < events.length; first += EVENTS_PER_SORT) {
    sorted.push(events.slice(first, first + EVENTS_PER_SORT).sort(byPosition));
    await pause();
  }
  return mergedInLogOrder(sorted, pause);
};

/** Merges lists that are in the order of the log into one list in this order, in time slices. */
export const mergedInLogOrder = async (lists: readonly Events[], pause: Pause): Promise<Events> => {
  let round = lists.filter(({ length }) => length > 0);
  while (round.length > 1) {
    const next: Events[] = [];
    for (let first = 0; first < round.length; first += 2) {
      const [one = [], other = []] = round.slice(first, first + 2);
      next.push(await mergeTwo(one, other, pause));
    }
    round = next;
  }
  return round[0] ?? [];
};

const mergeTwo = async (one: Events, other: Events, pause: Pause): Promise<Events> => {
  const [first] = other;
  if (!first) return one;
  if ((one.at(-1)?.position ?? 0n) < first.position) return [...one, ...other];
  const merged: RecordedEvent[] = [];
  let [fromOne, fromOther] = [0, 0];
  for (;;) {
    const [next, nextOther] = [one[fromOne], other[fromOther]];
    if (!next || !nextOther) return merged.concat(one.slice(fromOne), other.slice(fromOther));
    if (next.position < nextOther.position) {
      merged.push(next);
      fromOne += 1;
    } else {
      merged.push(nextOther);
      fromOther += 1;
    }
    if (merged.length % EVENTS_PER_STEP === 0) await pause();
  }
};
