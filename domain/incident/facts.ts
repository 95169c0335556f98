import type { ComponentStatus } from '../page/component-status.ts';
import { laterOf, type Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import type { ComponentMap, UpdateFields } from './fields.ts';
import { isResolved, type IncidentStatus } from './statuses.ts';

/**
 * A point in time at which an incident's status, or statuses of components, were set: by an update, or
 * by a status change without one. Facts are stored in the order of the log; derived values depend on
 * the order of their times.
 */
export interface IncidentFact {
  /** id of the update; null for a status change without one */
  update_id: string | null;
  at: Instant;
  status: IncidentStatus;
  /** false if the status was copied from the incident (UpdateFields) */
  status_sent: boolean;
  /** the components in the fact itself; {@link inEffect} and {@link statusesSetBy} compute those that it sets */
  components: ComponentMap;
  /** the status that a switch of the maintenance sets in addition; null without one (events.ts: `switched`) */
  switches: ComponentStatus | null;
  /** whether it was recorded after the incident: it sets no current status (docs/reference/incidents.md#past-incidents) */
  past: boolean;
}

/** A fact with its position in the log, which orders facts of the same time. */
export interface TimelineFact extends IncidentFact {
  order: string;
}

const factOf = (update: UpdateFields, past: boolean): IncidentFact => ({
  update_id: update.id,
  at: update.created_at,
  status: update.status,
  status_sent: update.status_sent,
  components: update.components,
  switches: null,
  past,
});

/** The components of a fact, separated into those of the request and the status of a switch. */
const ownOf = (
  components: ComponentMap,
  switched: { status: ComponentStatus; sent: ComponentMap } | undefined,
): Pick<IncidentFact, 'components' | 'switches'> =>
  switched ? { components: switched.sent, switches: switched.status } : { components, switches: null };

/**
 * The facts after an event.
 *
 * @param place adds data to a new fact; `index` counts the new facts of this event
 */
export const evolveFacts = <F extends IncidentFact>(
  facts: readonly F[],
  event: IncidentEvent,
  place: (fact: IncidentFact, index: number) => F,
): readonly F[] => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'MaintenanceScheduled':
      return [place(factOf(event.data.update, false), 0)];
    case 'PastIncidentLogged':
      return event.data.updates.map((update, index) => place(factOf(update, true), index));
    case 'IncidentUpdateAppended': {
      const { update, switched } = event.data;
      return [...facts, place({ ...factOf(update, false), ...ownOf(update.components, switched) }, 0)];
    }
    case 'IncidentStatusChanged': {
      const { changed_at: at, changes, components, switched } = event.data;
      const fact = { update_id: null, at, status: changes.status, status_sent: true, past: false };
      return [...facts, place({ ...fact, ...ownOf(components, switched) }, 0)];
    }
    case 'IncidentUpdateEdited': {
      const { incident_update_id: id, changes } = event.data;
      return facts.map((fact) =>
        fact.update_id === id
          ? {
              ...fact,
              at: changes.created_at ?? fact.at,
              // The new components replace all of the update's, including those of a switch.
              ...(changes.components && { components: changes.components, switches: null }),
            }
          : fact,
      );
    }
    case 'IncidentUpdateRemoved':
      return facts.filter((fact) => fact.update_id !== event.data.incident_update_id);
    case 'IncidentChanged':
    case 'IncidentUpdateTextWithheld':
    case 'MaintenanceReminded':
    case 'MaintenanceReminderMissed':
    case 'PostmortemDrafted':
    case 'PostmortemPublished':
    case 'PostmortemUnpublished':
      return facts;
    case 'IncidentDeleted':
      return [];
  }
};

/** Facts in the order of their times; facts of the same time in the order of the log. */
export const chronological = <F extends IncidentFact>(facts: readonly F[]): F[] =>
  [...facts].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

/** The time of a new fact: not before earlier ones, even if the clock was set back. */
export const timeAfter = (facts: readonly IncidentFact[], now: Instant): Instant =>
  facts.reduce((latest, { at }) => laterOf(latest, at), now);

/**
 * Facts in the order of their times, each with all components that it sets. A switch takes effect when the status
 * changes, and sets the components that were named before. So edits of earlier facts are applied retroactively.
 */
export const inEffect = <F extends IncidentFact>(facts: readonly F[]): F[] => {
  const named = new Set<string>();
  let status: IncidentStatus | null = null;
  return chronological(facts).map((fact) => {
    const acts = fact.switches !== null && fact.status !== status;
    const switched = acts ? Object.fromEntries([...named].map((id) => [id, fact.switches])) : {};
    const components = { ...(switched as ComponentMap), ...fact.components };
    for (const id of Object.keys(fact.components)) named.add(id);
    status = fact.status;
    return acts ? { ...fact, components } : fact;
  });
};

/**
 * The component statuses that a fact sets. Before its start, a maintenance names components without setting them
 * (docs/reference/maintenance.md#component-statuses).
 */
export const statusesSetBy = (fact: IncidentFact): ComponentMap => (fact.status === 'scheduled' ? {} : fact.components);

/** The ids of all components in facts, in the order of their first occurrence. */
export const componentsNamedBy = (facts: readonly IncidentFact[]): string[] => [
  ...new Set(facts.flatMap((fact) => Object.keys(fact.components))),
];

/** The status of the latest fact; null without facts. */
export const statusBy = (facts: readonly IncidentFact[]): IncidentStatus | null =>
  facts.reduce<IncidentFact | null>((last, fact) => (last === null || fact.at >= last.at ? fact : last), null)
    ?.status ?? null;

export interface IncidentProgress {
  status: IncidentStatus;
  monitoring_at: Instant | null;
  resolved_at: Instant | null;
}

/**
 * Derives the status and its times from an incident's facts, in the order of their times (docs/reference/incidents.md#statuses):
 * `monitoring_at` is the first time the status was `monitoring`; `resolved_at` is when it was resolved,
 * updated whenever that status is sent again, and cleared by reopening.
 */
export const progressOf = (facts: readonly IncidentFact[]): IncidentProgress => {
  let status: IncidentStatus | null = null;
  let monitoring: Instant | null = null;
  let resolved: Instant | null = null;
  for (const fact of chronological(facts)) {
    if (fact.status === 'monitoring') monitoring ??= fact.at;
    if (!isResolved(fact.status)) resolved = null;
    else if (resolved === null || fact.status_sent) resolved = fact.at;
    status = fact.status;
  }
  if (status === null) throw new Error('An incident without facts has no status.');
  return { status, monitoring_at: monitoring, resolved_at: resolved };
};
