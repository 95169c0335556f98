import { collection, defineProjection } from '../../../projections/engine/fold/define.ts';
import type { Fact } from '../history.ts';

export interface Counter {
  id: string;
  count: number;
}

/** Counts marks by their text: the smallest projection that reads its own documents. */
export const counters = defineProjection({
  name: 'counters',
  version: 1,
  log: 'main',
  collections: { counters: collection<Counter>({ indexes: [{ count: -1 }] }) },
  documents: ({ data }) => ({ counters: [data.mark] }),
  on: {
    LogMarked: ({ data }, { counters }) => {
      counters.put({ id: data.mark, count: (counters.get(data.mark)?.count ?? 0) + 1 });
    },
  },
});

/** A document for each mark of the results log. */
export const echoes = defineProjection({
  name: 'echoes',
  version: 1,
  log: 'results',
  collections: { echoes: collection<{ id: string }>({ indexes: [] }) },
  documents: () => ({}),
  on: {
    LogMarked: ({ data }, { echoes }) => {
      echoes.put({ id: data.mark });
    },
  },
});

export const logMarked = (mark: string): Fact => ({ type: 'LogMarked', data: { mark } });
