import type { Pause } from '../../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { EventType, RecordedEventOf } from '../../../domain/event-types.ts';
import { laterOf, type Instant } from '../../../domain/time.ts';
import { DirectFold } from '../../../projections/engine/direct-fold.ts';
import type { Owner } from '../../../projections/past/past-events.ts';
import { categoriesOf } from '../../../projections/past/past-read.ts';
import { quietChecks } from '../../../projections/quiet-checks/projection.ts';
import type { ReadScope } from '../../engine/scope.ts';

/** Returns all events in the streams of an owner in these categories, in the order of the log `main`. */
export type ReadEvents = (owner: Owner, categories: readonly string[]) => Promise<readonly RecordedEvent[]>;

/** A change: at this time, maintenances began or ceased to suppress the alerts of a check or of a tag. */
export interface SuppressionChange {
  at: Instant;
  /** id of the check, or `suppressedTagId` of the tag */
  id: string;
  isSuppressed: boolean;
}

/** Documents per query. */
const PAGE = 1_000;

/**
 * Returns when maintenances suppressed alerts, by id of the check or tag, each list in chronological order. Reads only
 * events of pages whose components have ever named one of these checks or tags.
 *
 * @param ids of checks, and `suppressedTagId` of tags
 */
export const readSuppressionHistory = async (
  { read, organizationId }: ReadScope,
  ids: readonly string[],
  readEvents: ReadEvents,
  pause: Pause,
): Promise<ReadonlyMap<string, readonly SuppressionChange[]>> => {
  const { quiet_checks, quiet_tags } = read(quietChecks);
  const pages = new Set<string>();
  for (let first = 0; first < ids.length; first += PAGE) {
    const some = ids.slice(first, first + PAGE);
    const named = [...(await quiet_checks.getMany(some)), ...(await quiet_tags.getMany(some))];
    for (const { by_page } of named) for (const pageId of Object.keys(by_page)) pages.add(pageId);
  }
  const changes = new Map(ids.map((id) => [id, [] as SuppressionChange[]]));
  for (const pageId of pages) {
    const events = await readEvents({ organizationId, pageId }, categoriesOf(quietChecks));
    await foldPage(events, changes, pause);
  }
  return new Map([...changes].map(([id, ofPages]) => [id, joined(ofPages)]));
};

/** The changes on one page: `by` is the page's id. */
type PageChange = SuppressionChange & { by?: string };

const foldPage = async (
  events: readonly RecordedEvent[],
  changes: ReadonlyMap<string, PageChange[]>,
  pause: Pause,
): Promise<void> => {
  const fold = new DirectFold(quietChecks);
  const { quiet_checks, quiet_tags } = fold.models;
  const before = new Map<string, number>();
  const by = (events[0]?.data as { page_id?: string } | undefined)?.page_id ?? '';
  let at: Instant = '';
  for (const event of events as readonly RecordedEventOf<EventType>[]) {
    at = laterOf(at, event.metadata.recorded_at);
    if (!fold.apply(event)) continue;
    for (const model of [quiet_checks, quiet_tags]) {
      for (const { id, changed_position, incident_ids } of model.documents.values()) {
        if (before.get(id) === changed_position) continue;
        before.set(id, changed_position);
        changes.get(id)?.push({ at, id, isSuppressed: incident_ids.length > 0, by });
      }
    }
    await pause();
  }
};

/** Joins the changes on several pages: a check or tag is suppressed while it is suppressed on any page. */
const joined = (changes: readonly PageChange[]): SuppressionChange[] => {
  const suppressing = new Set<string>();
  return [...changes]
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .map(({ at, id, isSuppressed, by = '' }) => {
      if (isSuppressed) suppressing.add(by);
      else suppressing.delete(by);
      return { at, id, isSuppressed: suppressing.size > 0 };
    });
};
