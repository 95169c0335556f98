import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency, type ICalEventData } from 'ical-generator';
import { derivedUuid } from '../../../domain/identity.ts';
import { millisecondsOf, type Instant } from '../../../domain/time.ts';
import { clean, oneLine } from '../../../messages/characters.ts';
import { mediaType } from '../../../http/media/media-types.ts';
import type { CancelledMaintenanceDocument, IncidentDocument } from '../../../projections/incidents/documents.ts';
import { bodyText, feedChangesOf, statusWord, type FeedWording } from '../feeds/incident-changes.ts';
import { incidentPath } from '../../../views/status/incidents.tsx';

export const CALENDAR = mediaType('text/calendar', { parameter: 'charset=utf-8' });

/** Interval at which calendar programs should request the calendar, in seconds. */
const LOOKED_AT_EVERY = 3_600;

const LONGEST_NAME = 300;

const dateOf = (instant: Instant): Date => new Date(millisecondsOf(instant));

/**
 * Returns the permanent UID of a maintenance. It does not depend on the host at which the calendar is requested (RFC
 * 5545, 3.8.4.7).
 */
const uidOf = ({ id }: { id: string }): string => derivedUuid(`maintenance ${id}`);

/**
 * Returns a number that increases with each change (RFC 5545, 3.8.7.4). Because changes are not counted, it is the
 * number of seconds from the creation to the newest change. Two changes within the same second have the same number and
 * the same `LAST-MODIFIED`.
 */
const sequenceOf = (createdAt: Instant, changedAt: Instant): number =>
  Math.max(0, Math.floor(millisecondsOf(changedAt) / 1_000) - Math.floor(millisecondsOf(createdAt) / 1_000));

/** The properties of a page that its calendar events contain. */
export interface CalendarPage {
  name: string;
  /** absolute URL of the page's root, without a trailing slash */
  root: string;
  wording: FeedWording;
}

/**
 * Returns a maintenance as an event, or null if it has no schedule. The event does not mark the time as busy in the
 * calendars of readers.
 */
export const eventOf = (maintenance: IncidentDocument, { name, root, wording }: CalendarPage): ICalEventData | null => {
  const { scheduled_for, scheduled_until, created_at, updated_at } = maintenance;
  if (scheduled_for === null || scheduled_until === null) return null;
  const [newest] = feedChangesOf(maintenance);
  const status = newest && `${statusWord(newest, wording)}${wording.words.colon}${bodyText(newest, wording)}`;
  const components = maintenance.component_ids.flatMap((id) => wording.components.get(id)?.name ?? []);
  const affected = `${wording.pageWords.incidents.affectedComponents}${wording.words.colon}${components.join(', ')}`;
  return {
    id: uidOf(maintenance),
    sequence: sequenceOf(created_at, updated_at),
    start: dateOf(scheduled_for),
    end: dateOf(scheduled_until),
    stamp: dateOf(updated_at),
    created: dateOf(created_at),
    lastModified: dateOf(updated_at),
    summary: oneLine(`${name}: ${maintenance.name}`, LONGEST_NAME),
    description: clean([status ?? '', ...(components.length > 0 ? [affected] : [])].join('\n\n')),
    url: `${root}/${incidentPath(maintenance)}`,
    status: ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT,
  };
};

/**
 * Returns the event of a deleted maintenance, without its text. The event tells calendars that the maintenance was
 * cancelled.
 */
export const cancelledEvent = (
  cancelled: CancelledMaintenanceDocument,
  { name, wording }: CalendarPage,
): ICalEventData => {
  const { scheduled_for, scheduled_until, created_at, deleted_at } = cancelled;
  return {
    id: uidOf(cancelled),
    sequence: sequenceOf(created_at, deleted_at) + 1,
    start: dateOf(scheduled_for),
    end: dateOf(scheduled_until),
    stamp: dateOf(deleted_at),
    created: dateOf(created_at),
    lastModified: dateOf(deleted_at),
    summary: oneLine(`${name}: ${wording.pageWords.feeds.cancelled}`, LONGEST_NAME),
    status: ICalEventStatus.CANCELLED,
    transparency: ICalEventTransparency.TRANSPARENT,
  };
};

/**
 * Escapes a TEXT value (RFC 5545, 3.3.11). The library does this for the values of events, but not for the name of a
 * calendar.
 */
const textValue = (text: string): string => text.replace(/[\\;,]/g, (character) => `\\${character}`);

/** Returns an iCalendar file with times in UTC. Line folding and line endings conform to RFC 5545, 3.1. */
export const calendarText = (title: string, events: readonly ICalEventData[]): string => {
  const calendar = ical({
    name: textValue(oneLine(title, LONGEST_NAME)),
    prodId: { company: 'Uptrail', product: 'Status page', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: LOOKED_AT_EVERY,
    events: [...events],
  });
  return `${calendar.toString()}\r\n`;
};
