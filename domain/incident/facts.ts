import type { ComponentStatus } from '../page/component-status.ts';
import { laterOf, type Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import type { ComponentMap, UpdateFields } from './fields.ts';
import { isResolved, type IncidentStatus } from './statuses.ts';

/**
 * A point in time at which an update, or a status change without an update, set the status of an incident or of
 * components. Facts are stored in the order of the log. Their times might have another order, because users can edit
 * them. Derived values depend on the order of the times.
 */
export interface IncidentFact {
  /** id of the update; null for a status change without an update */
  update_id: string | null;
  at: Instant;
  status: IncidentStatus;
  /** whether the request contained the status; otherwise the status was copied from the incident */
  status_sent: boolean;
  /**
   * The component statuses that the fact itself contains. {@link inEffect} and {@link statusesSetBy} compute the
   * statuses that the fact sets.
   */
  components: ComponentMap;
  /**
   * the status that the components of a maintenance get because the maintenance begins or ends (events.ts: `switched`);
   * null if the fact neither begins nor ends a maintenance
   */
  switches: ComponentStatus | null;
  /**
   * whether the fact was recorded after the end of the incident, so that it does not set the current status of
   * components (docs/reference/incidents.md#past-incidents)
   */
  past: boolean;
}

/** A fact with `order`, its position in the log. The position orders facts of the same time. */
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

/**
 * Returns the components that a request contained and, separately, the status that an `auto_transition_to_*_state`
 * switch set.
 */
const ownOf = (
  components: ComponentMap,
  switched: { status: ComponentStatus; sent: ComponentMap } | undefined,
): Pick<IncidentFact, 'components' | 'switches'> =>
  switched ? { components: switched.sent, switches: switched.status } : { components, switches: null };

/**
 * Returns the facts of an incident after an event.
 *
 * @param place adds data to a new fact; `index` is the position of the fact among the new facts of this event, from 0
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
              // The edited components replace all components of the update, including those that an
              // `auto_transition_to_*_state` switch set.
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

/** Returns facts in the order of their times. Facts of the same time stay in the order of the log. */
export const chronological = <F extends IncidentFact>(facts: readonly F[]): F[] =>
  [...facts].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

/** Returns the time of a new fact: now, or the time of the latest fact if the clock was set back. */
export const timeAfter = (facts: readonly IncidentFact[], now: Instant): Instant =>
  facts.reduce((latest, { at }) => laterOf(latest, at), now);

/**
 * Returns facts in the order of their times, each with all component statuses that it sets. An
 * `auto_transition_to_*_state` switch has an effect only if the fact changes the status of the incident. The switch
 * affects all components that earlier facts named, so an edit of an earlier fact changes the effect of the switch.
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
 * Returns the component statuses that a fact sets. With the status `scheduled`, a maintenance only names its components
 * and sets no status (docs/reference/maintenance.md#component-statuses).
 */
export const statusesSetBy = (fact: IncidentFact): ComponentMap => (fact.status === 'scheduled' ? {} : fact.components);

/** Returns the ids of all components in facts, in the order of their first occurrence. */
export const componentsNamedBy = (facts: readonly IncidentFact[]): string[] => {
  const ids = new Set<string>();
  for (const { components } of facts) for (const id of Object.keys(components)) ids.add(id);
  return [...ids];
};

/** Returns the status of the fact with the latest time; null without facts. */
export const statusBy = (facts: readonly IncidentFact[]): IncidentStatus | null =>
  facts.reduce<IncidentFact | null>((last, fact) => (last === null || fact.at >= last.at ? fact : last), null)
    ?.status ?? null;

export interface IncidentProgress {
  status: IncidentStatus;
  monitoring_at: Instant | null;
  resolved_at: Instant | null;
}

/**
 * Derives the status of an incident and the times of its statuses from its facts, in the order of their times
 * (docs/reference/incidents.md#statuses). `monitoring_at` is the first time at which the status was `monitoring`.
 * `resolved_at` is the time of the resolution. If a request sends the resolved status again, `resolved_at` becomes the
 * time of that request. If the incident is reopened, `resolved_at` becomes null.
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
