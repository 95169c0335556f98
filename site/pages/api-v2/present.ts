import { derivedId } from '../../../domain/identity.ts';
import { inEffect, statusesSetBy } from '../../../domain/incident/facts.ts';
import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import type { Instant } from '../../../domain/time.ts';
import { indicatorOf, type StatusIndicator } from '../../../messages/status-indicator.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import type { IncidentDocument, IncidentUpdateView } from '../../../projections/incidents/documents.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { incidentPath } from '../../../views/status/incidents.tsx';
import type { AffectedComponent, Component, IncidentUpdate } from './schema.ts';

/**
 * Returns an instant with milliseconds and a UTC designator. Clients of Statuspage interpret times without a designator
 * as local times.
 */
export const timeOf = (instant: Instant): string => `${instant.slice(0, 23)}Z`;

const timeOrNull = (instant: Instant | null): string | null => instant && timeOf(instant);

/** Returns a page in the format of Statuspage. @param url absolute URL of the page */
export const presentPage = ({ id, name, time_zone }: PageDocument, url: string, updatedAt: Instant) => ({
  id,
  name,
  url,
  time_zone,
  updated_at: timeOf(updatedAt),
});

/** The descriptions that Statuspage uses. They must not be changed, because some clients compare them. */
const DESCRIPTIONS: Readonly<Record<StatusIndicator, string>> = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Partially Degraded Service',
  major: 'Partial System Outage',
  critical: 'Major Service Outage',
};

export const presentStatus = (visible: readonly Pick<ComponentDocument, 'status'>[]) => {
  const indicator = indicatorOf(visible.map(({ status }) => status));
  return { indicator, description: DESCRIPTIONS[indicator] };
};

/** Returns a component in the format of Statuspage. @param members ids of the visible components of a group */
export const presentComponent = (component: ComponentDocument, members: readonly string[] = []): Component => ({
  id: component.id,
  name: component.name,
  status: component.status,
  created_at: timeOf(component.created_at),
  updated_at: timeOf(component.updated_at),
  position: component.position,
  description: component.description,
  showcase: component.showcase,
  start_date: component.start_date,
  group_id: component.group_id,
  page_id: component.page_id,
  group: component.group,
  only_show_if_degraded: component.only_show_if_degraded,
  ...(component.group && { components: [...members] }),
});

/** Returns components in the order of the page. Each group is followed by its components. */
export const presentComponents = (visible: readonly ComponentDocument[]): Component[] =>
  visible
    .filter(({ group_id }) => group_id === null)
    .flatMap((one) => {
      const members = one.group ? visible.filter(({ group_id }) => group_id === one.id) : [];
      const ids = members.map(({ id }) => id);
      return [presentComponent(one, ids), ...members.map((member) => presentComponent(member))];
    });

/**
 * Returns an incident or maintenance in the format of Statuspage. It includes all existing components that the updates
 * of the incident named. Components that are hidden now are included too, because they were visible while they were
 * affected.
 *
 * @param root absolute URL of the page
 * @param known the page's components by id
 */
export const presentIncident = (
  incident: IncidentDocument,
  root: string,
  known: ReadonlyMap<string, ComponentDocument>,
) => {
  const { incident_updates: updates, created_at, kind, scheduled_for, scheduled_until } = incident;
  const postmortem = presentPostmortem(incident);
  const first = updates.at(-1)?.display_at ?? created_at;
  return {
    id: incident.id,
    name: incident.name,
    status: postmortem ? ('postmortem' as const) : incident.status,
    created_at: timeOf(created_at),
    updated_at: timeOf(incident.updated_at),
    monitoring_at: timeOrNull(incident.monitoring_at),
    resolved_at: timeOrNull(incident.resolved_at),
    impact: incident.impact,
    shortlink: `${root}/${incidentPath(incident)}`,
    started_at: timeOf(first < created_at ? first : created_at),
    page_id: incident.page_id,
    incident_updates: [...(postmortem ? [postmortem] : []), ...presentUpdates(incident, known)],
    components: incident.component_ids.flatMap((id) => {
      const component = known.get(id);
      return component ? [presentComponent(component)] : [];
    }),
    reminder_intervals: incident.reminder_intervals,
    ...(kind === 'maintenance' && {
      scheduled_for: timeOrNull(scheduled_for),
      scheduled_until: timeOrNull(scheduled_until),
    }),
  };
};

const NOT_POSTED = { custom_tweet: null, tweet_id: null };

/**
 * Returns a published postmortem as an update, or null if there is none. As on Statuspage, `postmortem` is also the
 * status of such an incident.
 */
const presentPostmortem = (incident: IncidentDocument): IncidentUpdate | null => {
  const { id, postmortem_body: body, postmortem_published_at: at, postmortem_body_last_updated_at: last } = incident;
  if (body === null || at === null || incident.resolved_at === null || incident.kind === 'maintenance') return null;
  const time = timeOf(at);
  return {
    id: derivedId(`postmortem of ${id}`),
    status: 'postmortem',
    body,
    incident_id: id,
    created_at: time,
    updated_at: timeOf(last ?? at),
    display_at: time,
    affected_components: null,
    deliver_notifications: false,
    ...NOT_POSTED,
  };
};

const presentUpdates = (
  incident: IncidentDocument,
  known: ReadonlyMap<string, ComponentDocument>,
): IncidentUpdate[] => {
  const affected = affectedBy(incident, known);
  return incident.incident_updates.map((update) => ({
    id: update.id,
    status: update.status,
    body: visibleBody(update),
    incident_id: update.incident_id,
    created_at: timeOf(update.created_at),
    updated_at: timeOf(update.updated_at),
    display_at: timeOf(update.display_at),
    affected_components: affected.get(update.id) ?? null,
    deliver_notifications: update.deliver_notifications,
    ...NOT_POSTED,
  }));
};

/** Returns the text of an update that visitors are allowed to read. */
export const visibleBody = ({ body, withheld_at }: Pick<IncidentUpdateView, 'body' | 'withheld_at'>): string =>
  withheld_at === null ? body : '';

/**
 * Returns the components that each update named, by update id, each with its statuses in this incident before and after
 * the update.
 */
const affectedBy = (
  { facts }: Pick<IncidentDocument, 'facts'>,
  known: ReadonlyMap<string, ComponentDocument>,
): Map<string, AffectedComponent[]> => {
  const statuses = new Map<string, ComponentStatus>();
  const affected = new Map<string, AffectedComponent[]>();
  for (const fact of inEffect(facts)) {
    const sets = statusesSetBy(fact);
    const named = Object.keys(fact.components).flatMap((code): AffectedComponent[] => {
      const component = known.get(code);
      const old_status = statuses.get(code) ?? 'operational';
      const new_status = sets[code] ?? old_status;
      statuses.set(code, new_status);
      return component ? [{ code, name: component.name, old_status, new_status }] : [];
    });
    if (fact.update_id !== null && named.length > 0) affected.set(fact.update_id, named);
  }
  return affected;
};
