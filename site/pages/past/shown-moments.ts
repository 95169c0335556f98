import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { admitsAllOf, type Visibility } from '../../../domain/page/access.ts';
import type { PageEvent } from '../../../domain/page/events.ts';
import { pageDecider } from '../../../domain/page/state.ts';
import type { EventType } from '../../../domain/event-types.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { isFields } from '../../../domain/fields.ts';
import type { Instant } from '../../../domain/time.ts';

/** Types of events of a page and its incidents that always change what visitors see. */
const SHOWN = new Set<string>([
  'PageCreated',
  'ComponentAdded',
  'ComponentUpdated',
  'ComponentRemoved',
  'ComponentHeld',
  'ComponentReleased',
  'IncidentOpened',
  'MaintenanceScheduled',
  'PastIncidentLogged',
  'IncidentChanged',
  'IncidentStatusChanged',
  'IncidentUpdateAppended',
  'IncidentUpdateEdited',
  'IncidentUpdateRemoved',
  'PostmortemPublished',
  'PostmortemUnpublished',
  'IncidentDeleted',
] satisfies EventType[]);
/** Fields of a page that past states show with their values of that time. All other fields have their current values. */
const SHOWN_FIELDS = ['name', 'headline', 'page_description'];

const PASSWORD_EVENTS = new Set<string>([
  'PagePasswordAdded',
  'PagePasswordUpdated',
  'PagePasswordRemoved',
] satisfies EventType[]);
const ACCESS_FIELDS = ['viewers_must_be_team_members', 'ip_restrictions'];

/** Access rules of a page, and when they began to apply. */
interface AccessPeriod {
  from: Instant;
  access: Visibility;
}

interface Timeline {
  /** when something changed that visitors see, sorted */
  moments: readonly Instant[];
  /** sorted by `from` */
  periods: readonly AccessPeriod[];
}

/** Moments of the neighbours of a past state. Each is null if there is no such state. */
export interface Neighbours {
  earlier: Instant | null;
  later: Instant | null;
}

/**
 * Returns the moments of the previous and the next state of a page, compared with its state at a moment. States are
 * skipped if visitors of the current page may not see them.
 *
 * @param events all events of the page, its incidents and its checks, in the order of the log
 */
export const neighboursOf = async (
  events: readonly RecordedEvent[],
  current: Visibility,
  at: Instant,
): Promise<Neighbours> => {
  const { moments, periods } = await timelineOf(events);
  const isShown = periods.map(({ access }) => admitsAllOf(access, current));
  // When a hidden page becomes visible again, visitors see everything that changed meanwhile.
  const reopened = periods.flatMap(({ from }, index) => (isShown[index] && isShown[index - 1] === false ? from : []));
  const all = reopened.length === 0 ? moments : [...new Set([...moments, ...reopened])].sort();
  let period = -1;
  let [previous, shown, later]: (Instant | null)[] = [null, null, null];
  for (const moment of all) {
    while ((periods[period + 1]?.from ?? END) <= moment) period += 1;
    if (!isShown[period]) continue;
    if (moment > at) {
      later = moment;
      break;
    }
    [previous, shown] = [shown ?? null, moment];
  }
  return { earlier: previous ?? null, later: later ?? null };
};

/** Later than all moments. */
const END: Instant = '9999-12-31T23:59:59.999999';

const timelines = new WeakMap<readonly RecordedEvent[], Promise<Timeline>>();

/** Reads the timeline of a list of events once, however many requests need it. */
const timelineOf = (events: readonly RecordedEvent[]): Promise<Timeline> => {
  const known = timelines.get(events) ?? readTimeline(events);
  timelines.set(events, known);
  return known;
};

/** Number of events that are read without a pause. */
const EVENTS_PER_STEP = 500;

const readTimeline = async (events: readonly RecordedEvent[]): Promise<Timeline> => {
  const pause = timeSlices();
  const moments = new Set<Instant>();
  const periods: AccessPeriod[] = [];
  let page = pageDecider.initialState;
  for (const [index, event] of events.entries()) {
    if (index % EVENTS_PER_STEP === 0) await pause();
    const { recorded_at: at } = event.metadata;
    if (isVisible(event)) moments.add(at);
    if (!changesAccess(event)) continue;
    page = pageDecider.evolve(page, event as unknown as PageEvent);
    if (page.status !== 'active') continue;
    const { viewers_must_be_team_members, ip_restrictions } = page.fields;
    const access = { viewers_must_be_team_members, ip_restrictions, passwords: [...page.passwords.values()] };
    const before = periods.at(-1)?.from ?? at;
    periods.push({ from: before > at ? before : at, access });
  }
  return { moments: [...moments].sort(), periods };
};

const isVisible = ({ type, data }: RecordedEvent): boolean =>
  SHOWN.has(type) || (type === 'PageUpdated' && changesOneOf(data, SHOWN_FIELDS));

const changesAccess = ({ type, data }: RecordedEvent): boolean =>
  type === 'PageCreated' || PASSWORD_EVENTS.has(type) || (type === 'PageUpdated' && changesOneOf(data, ACCESS_FIELDS));

const changesOneOf = (data: unknown, fields: readonly string[]): boolean => {
  const changes = isFields(data) ? data['changes'] : null;
  return isFields(changes) && fields.some((field) => field in changes);
};
