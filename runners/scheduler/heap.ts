/** An entry with a due time. */
export interface Due {
  /** due time, milliseconds since 1970 */
  due: number;
  /** index in the heap, which the heap updates; -1 outside of the heap */
  index: number;
}

/** Creates a binary heap with the earliest due time on top. Entries can be moved and removed. */
export const createHeap = <E extends Due>() => {
  const entries: E[] = [];

  const put = (entry: E, place: number): void => {
    entries[place] = entry;
    entry.index = place;
  };

  const rise = (entry: E, from: number): void => {
    let place = from;
    while (place > 0) {
      const parent = entries[(place - 1) >> 1];
      if (!parent || parent.due <= entry.due) break;
      put(parent, place);
      place = (place - 1) >> 1;
    }
    put(entry, place);
  };

  const sink = (entry: E, from: number): void => {
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      let lower = entries[child];
      const right = entries[child + 1];
      if (lower && right && right.due < lower.due) {
        lower = right;
        child += 1;
      }
      if (!lower || lower.due >= entry.due) break;
      put(lower, place);
      place = child;
    }
    put(entry, place);
  };

  const settle = (entry: E, place: number): void => {
    rise(entry, place);
    sink(entry, entry.index);
  };

  return {
    size: (): number => entries.length,
    /** returns the entry with the earliest due time */
    top: (): E | undefined => entries[0],
    /** Adds an entry with a due time. If the entry is already in the heap, it is moved. */
    set: (entry: E, due: number): void => {
      entry.due = due;
      settle(entry, entry.index === -1 ? entries.length : entry.index);
    },
    remove: (entry: E): void => {
      const { index } = entry;
      if (index === -1) return;
      entry.index = -1;
      const last = entries.pop();
      if (last && last !== entry) settle(last, index);
    },
  };
};

export type Heap<E extends Due> = ReturnType<typeof createHeap<E>>;
