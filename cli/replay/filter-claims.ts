import { categoryOf } from '../../domain/decider.ts';
import { RESULT_CATEGORIES } from '../../domain/event-types.ts';
import { createRecentIds } from '../../domain/recent-ids.ts';
import { CLOCKS_DIFFER_MS, later } from '../../domain/time.ts';
import type { CountedEvent, Manifest } from './manifest.ts';

/** A field of a manifest that the events of its file contradict. */
export interface Contradiction {
  field: string;
  sentence: string;
}

/**
 * Compares events with what a manifest says about their selection: the log, the filters and the time of the file. Events
 * are added in the order of the file.
 */
export const createFilterClaims = ({ log, filters, made_at }: Manifest) => {
  const contradictions = new Map<string, Contradiction>();
  const from = BigInt(filters.from);
  const types = new Set(filters.types);
  const recent = log.name === 'results' && !filters.raw ? createRecentIds() : null;
  let previous = -1n;
  const contradict = (field: string, value: unknown, event: CountedEvent, what: string): void => {
    if (contradictions.has(field)) return;
    const sentence = `${field} is ${JSON.stringify(value)}, but the event at position ${event.position} ${what}.`;
    contradictions.set(field, { field, sentence });
  };
  return {
    add: (event: CountedEvent & { id: string }): void => {
      const { position, stream, type, recordedAt, id } = event;
      if (types.size > 0 && !types.has(type)) contradict('filters.types', filters.types, event, `has the type ${type}`);
      if (position < from) contradict('filters.from', filters.from, event, 'is before it');
      if (filters.stream !== null && stream !== filters.stream)
        contradict('filters.stream', filters.stream, event, `is in the stream ${stream}`);
      const name = RESULT_CATEGORIES.includes(categoryOf(stream)) ? 'results' : 'main';
      if (name !== log.name) contradict('log.name', log.name, event, `belongs to the log ${name}`);
      if (later(recordedAt, -CLOCKS_DIFFER_MS) > made_at)
        contradict('made_at', made_at, event, `was recorded later, at ${recordedAt}`);
      if (recent?.add(id) === false) contradict('filters.raw', filters.raw, event, 'repeats an earlier event');
      if (position <= previous) contradict('content', 'in the order of the log', event, 'is out of order');
      previous = position;
    },
    found: (): Contradiction[] => [...contradictions.values()],
  };
};
