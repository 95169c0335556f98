import { streamOf } from '../../domain/decider.ts';
import { byPosition, type RecordedEvent } from '../../domain/event.ts';
import { isFields } from '../../domain/fields.ts';
import { firstUpdateOf } from '../../projections/audit/first-updates.ts';
import { auditSubjectOf } from '../../projections/audit/subjects.ts';
import type { AuditSubject } from '../../projections/audit/conventions.ts';
import { eventsOfIncidents, childrenOf } from './component-events.ts';
import type { Call } from '../route.ts';
import type { Source } from './source.ts';

type EventsCall = Pick<Call<Record<string, string>, unknown, unknown>, 'params' | 'past' | 'scope'>;
type Events = readonly RecordedEvent[];

/** The events of a resource, oldest first. */
export interface ResourceEvents {
  /** events of the resource, and the deletion of the parent with which the resource was deleted */
  own: Events;
  /** Reads the events of other resources that changed the resource. Oldest first. */
  related: () => Promise<Events>;
}

const NONE: ResourceEvents = { own: [], related: async () => [] };

/** Reads the events of the resource that the path names. The lists are empty if the resource never existed. */
export const resourceEvents = async (call: EventsCall, source: Source): Promise<ResourceEvents> => {
  const { params, scope } = call;
  const id = source.parameter === null ? scope.organizationId : (params[source.parameter] ?? '');
  const stream = await streamEvents(call, source.category, id);
  if (!isBelowPage(stream, params, source)) return NONE;
  const named = stream.filter((event) => subjectIn(event, params, source) !== undefined);
  const [first] = named;
  if (!first) return NONE;
  const own = [...named, ...(await endWithParent(call, source, stream, named))].sort(byPosition);
  return { own, related: () => relatedEvents(call, source, stream, own) };
};

/**
 * Returns what an event says about the resource that the path names: null if the event is not in the audit log, and
 * undefined if the event is about another resource.
 */
export const subjectIn = (
  event: RecordedEvent,
  params: Readonly<Record<string, string>>,
  { about }: Pick<Source, 'about'>,
): AuditSubject | null | undefined => {
  const subject = auditSubjectOf(event);
  if (!about) return subject;
  const { kind, parameter } = about;
  const id = parameter === null ? subject?.resource_id : params[parameter];
  if (subject?.resource_type === kind && subject.resource_id === id) return subject;
  // The event that opens an incident also creates the first updates of this incident.
  return kind === 'incident_update' && id !== undefined ? (firstUpdateOf(event, id) ?? undefined) : undefined;
};

const streamEvents = ({ past, scope }: EventsCall, category: string, id: string): Promise<Events> =>
  past.stream(streamOf(category, id), scope.organizationId);

const isBelowPage = (
  stream: Events,
  { page_id: pageId }: EventsCall['params'],
  { parameter }: Pick<Source, 'parameter'>,
): boolean => {
  if (pageId === undefined || parameter === 'page_id') return true;
  return (stream[0]?.data as { page_id?: string } | undefined)?.page_id === pageId;
};

/** Returns the event that deleted the resource together with its incident or page. Empty if there is no such event. */
const endWithParent = async (
  call: EventsCall,
  { category, removedBy, about }: Source,
  stream: Events,
  named: Events,
): Promise<Events> => {
  if (!removedBy) return [];
  const ofPage = category === 'page' ? stream : await streamEvents(call, 'page', call.params['page_id'] ?? '');
  const ends = [
    ...ofPage.filter(({ type }) => type === 'PageDeleted'),
    ...(category === 'incident' && about ? stream.filter(({ type }) => type === 'IncidentDeleted') : []),
  ].sort(byPosition);
  const [end] = ends;
  const isEarlier = named.some(
    ({ type, position }) => removedBy.includes(type) && end !== undefined && position < end.position,
  );
  return end && !isEarlier ? [end] : [];
};

const relatedEvents = async (call: EventsCall, source: Source, stream: Events, own: Events): Promise<Events> => {
  const { params, past, scope } = call;
  const related: RecordedEvent[] = [];
  for (const { field, category, types } of source.refers ?? []) {
    const ids = new Set(own.flatMap(({ data }) => valuesOf(data, field)));
    const streams = await Promise.all([...ids].map((id) => streamEvents(call, category, id)));
    related.push(...streams.flat().filter(({ type }) => types.includes(type)));
  }
  const id = params[source.about?.parameter ?? ''] ?? '';
  if (source.changedWith === 'sessions') {
    const sessions = await past.events({ organizationId: scope.organizationId }, ['session']);
    related.push(
      ...sessions.filter(({ type, data }) => type === 'SessionStarted' && valuesOf(data, 'user_id').includes(id)),
    );
  }
  if (source.changedWith === 'incidents') {
    const owner = { organizationId: scope.organizationId, pageId: params['page_id'] ?? '' };
    const { ids, events } = childrenOf(stream, id);
    const incidents = await past.events(owner, ['incident']);
    related.push(...events, ...eventsOfIncidents(incidents, new Set([id, ...ids])));
  }
  const known = new Set(own);
  const [first] = own;
  return related
    .filter((event) => !known.has(event) && first !== undefined && event.position > first.position)
    .sort(byPosition);
};

/** Returns the values that an event gives to a field of its resource. */
const valuesOf = (data: object, field: string): string[] =>
  [data, ...(Object.values(data) as unknown[])].flatMap((fields: unknown) => {
    const value = isFields(fields) ? fields[field] : undefined;
    return typeof value === 'string' ? [value] : [];
  });
