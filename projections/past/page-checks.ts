import { streamOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';

interface LinkingData {
  component?: { check_id?: string | null };
  changes?: { check_id?: string | null };
}

const known = new WeakMap<readonly RecordedEvent[], readonly string[]>();

/**
 * Returns the streams of all checks that components of a page have ever had. No other check changes what the page shows.
 *
 * @param page the events of the page
 */
export const checkStreamsOf = (page: readonly RecordedEvent[]): readonly string[] => {
  const found = known.get(page) ?? readCheckStreams(page);
  known.set(page, found);
  return found;
};

const readCheckStreams = (page: readonly RecordedEvent[]): readonly string[] => {
  const ids = page.flatMap(({ data }) => {
    const { component, changes } = data as LinkingData;
    return (component ?? changes)?.check_id ?? [];
  });
  return [...new Set(ids)].sort().map((id) => streamOf('check', id));
};
