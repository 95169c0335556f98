import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { Instant } from '../../domain/time.ts';
import type { IncidentDocument } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Scope } from '../engine/scope.ts';
import { visibleBody } from './incident-edits.ts';

type QueryScope = Pick<Scope, 'read'>;

/** Incidents that a page shows completely, and the number of other incidents. */
export interface ShownIncidents {
  shown: readonly IncidentDocument[];
  others: number;
}

/** Maximum number of incidents of one kind that a page shows completely, because each can have very long texts. */
const MOST_SHOWN = 10;

/** Reads the unresolved incidents of a page, newest first. */
export const activeIncidents = async (
  { read }: QueryScope,
  { id: page_id }: Pick<PageDocument, 'id'>,
): Promise<ShownIncidents> => {
  const where = { page_id, kind: 'regular', resolved_at: null };
  const model = read(incidents).incidents;
  const shown = await model.find({ where, sort: { created_at: -1 }, limit: MOST_SHOWN });
  const count = shown.length < MOST_SHOWN ? shown.length : await model.count(where);
  return { shown, others: count - shown.length };
};

/** Reads the maintenances of a page that are in progress, newest first. */
export const maintenancesUnderWay = async (
  { read }: QueryScope,
  { id: page_id }: Pick<PageDocument, 'id'>,
): Promise<readonly IncidentDocument[]> => {
  const where = { page_id, kind: 'maintenance', status: { $in: ['in_progress', 'verifying'] } };
  return read(incidents).incidents.find({ where, sort: { created_at: -1 }, limit: MOST_SHOWN });
};

/**
 * Maximum number of planned maintenances that are read. There is no index by planned start, so they are read and sorted
 * to find those that start first.
 */
const MOST_PLANNED = 200;

/** Reads the maintenances of a page that have not begun, earliest first. */
export const upcomingMaintenances = async (
  { read }: QueryScope,
  { id: page_id }: Pick<PageDocument, 'id'>,
): Promise<readonly IncidentDocument[]> => {
  const model = read(incidents).incidents;
  const where = { page_id, kind: 'maintenance', status: 'scheduled' };
  const planned = await model.pick(['id', 'scheduled_for'], { where, sort: { created_at: -1 }, limit: MOST_PLANNED });
  const next = planned.toSorted((a, b) => ((a.scheduled_for ?? '') < (b.scheduled_for ?? '') ? -1 : 1));
  const found = await model.getMany(next.slice(0, MOST_SHOWN).map(({ id }) => id));
  return found.toSorted((a, b) => ((a.scheduled_for ?? '') < (b.scheduled_for ?? '') ? -1 : 1));
};

/** A filter for incidents and ended maintenances in a list by time. */
export interface PastFilter {
  from: Instant;
  /** End of the period, exclusive. */
  until: Instant;
  /** Matches incidents that name this component. */
  componentId?: string | undefined;
  /** Matches incidents with this impact. An unknown impact matches nothing. */
  impact?: string | undefined;
  limit: number;
}

/** Lists incidents that were opened within a period, newest first. Includes maintenances that have begun. */
export const listIncidentsBetween = async (
  { read }: QueryScope,
  { id: page_id }: Pick<PageDocument, 'id'>,
  { from, until, componentId, impact, limit }: PastFilter,
): Promise<readonly IncidentDocument[]> => {
  const { incidents: model, incident_components } = read(incidents);
  const created_at = { $gte: from, $lt: until };
  const sort = { created_at: -1 } as const;
  const ofKind = async (kind: IncidentDocument['kind']): Promise<readonly IncidentDocument[]> => {
    if (componentId === undefined || impact !== undefined)
      return model.find({ where: { page_id, kind, created_at, impact, component_ids: componentId }, sort, limit });
    const where = { page_id, component_id: componentId, kind, created_at };
    const naming = await incident_components.pick(['incident_id'], { where, sort, limit });
    return model.getMany(naming.map(({ incident_id }) => incident_id));
  };
  const found = (await Promise.all([ofKind('regular'), ofKind('maintenance')])).flat();
  return found
    .filter(({ kind, status }) => kind === 'regular' || status !== 'scheduled')
    .sort((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1))
    .slice(0, limit);
};

/** Maximum number of incidents that a search examines. This is about fifteen months of a busy page. */
const MOST_SEARCHED = 2_000;
/** Maximum number of characters that a search examines. */
const LONGEST_SEARCHED = 8_000_000;
/** Batch size of reads. */
const AT_ONCE = 20;

/**
 * Lists those incidents of `listIncidentsBetween` that contain a text in the name, in an update that is not withheld,
 * or in the postmortem. Ignores case.
 */
export const searchIncidents = async (
  scope: QueryScope,
  { id: page_id }: Pick<PageDocument, 'id'>,
  text: string,
  { from, until, componentId, impact, limit }: PastFilter,
): Promise<readonly IncidentDocument[]> => {
  const model = scope.read(incidents).incidents;
  const where = { page_id, created_at: { $gte: from, $lt: until }, impact, component_ids: componentId };
  const entries = await model.pick(['id'], { where, sort: { created_at: -1 }, limit: MOST_SEARCHED });
  const wanted = text.toLowerCase();
  const pause = timeSlices();
  const found: IncidentDocument[] = [];
  let read = 0;
  for (let at = 0; at < entries.length && found.length < limit && read < LONGEST_SEARCHED; at += AT_ONCE) {
    for (const incident of await model.getMany(entries.slice(at, at + AT_ONCE).map(({ id }) => id))) {
      const texts = textsOf(incident);
      read += texts.reduce((sum, one) => sum + one.length, 0);
      const isListed = incident.kind === 'regular' || incident.status !== 'scheduled';
      if (isListed && texts.some((one) => one.toLowerCase().includes(wanted))) found.push(incident);
    }
    await pause();
  }
  return found.slice(0, limit);
};

/** Returns the texts of an incident that visitors see. */
const textsOf = ({ name, incident_updates, postmortem_body }: IncidentDocument): string[] => [
  name,
  ...incident_updates.flatMap((update) => visibleBody(update) ?? []),
  ...(postmortem_body === null ? [] : [postmortem_body]),
];
