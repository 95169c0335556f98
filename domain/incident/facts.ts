import type { ComponentStatus } from '../page/component-status.ts';
import { laterOf, type Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import type { ComponentMap, UpdateFields } from './fields.ts';
import { isResolved, type IncidentStatus } from './statuses.ts';

/**
 * A moment at which an incident's status, or statuses of components, were set: by an update, or by a
 * change of status without one. An incident's facts are kept in the order of the log; what is derived
 * from them depends on the order of their times.
 */
export interface Fact {
  /** id of the update; null for a change of status without one */
  update_id: string | null;
  at: Instant;
  status: IncidentStatus;
  /** false when the status was only taken over (UpdateFields) */
  status_sent: boolean;
  /** what the fact itself names; see {@link inEffect} and {@link setBy} for what it sets */
  components: ComponentMap;
  /** what a switch of the maintenance sets in addition; null if none was on (events.ts: `switched`) */
  switches: ComponentStatus | null;
  /** recorded when the incident was over: sets no present status (decisions.md: log-past-incident) */
  past: boolean;
}

/** A fact with its place in the log, which decides between facts of the same time. */
export interface TimelineFact extends Fact {
  order: string;
}

const factOf = (update: UpdateFields, past: boolean): Fact => ({
  update_id: update.id,
  at: update.created_at,
  status: update.status,
  status_sent: update.status_sent,
  components: update.components,
  switches: null,
  past,
});

/** What a fact itself says, apart from what a switch sets. */
const ownOf = (
  components: ComponentMap,
  switched: { status: ComponentStatus; sent: ComponentMap } | undefined,
): Pick<Fact, 'components' | 'switches'> =>
  switched ? { components: switched.sent, switches: switched.status } : { components, switches: null };

/**
 * The facts after an event.
 *
 * @param place what to keep with a new fact; `index` counts the new facts of this event
 */
export const evolveFacts = <F extends Fact>(
  facts: readonly F[],
  event: IncidentEvent,
  place: (fact: Fact, index: number) => F,
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
      const said = { update_id: null, at, status: changes.status, status_sent: true, past: false };
      return [...facts, place({ ...said, ...ownOf(components, switched) }, 0)];
    }
    case 'IncidentUpdateEdited': {
      const { incident_update_id: id, changes } = event.data;
      return facts.map((fact) =>
        fact.update_id === id
          ? {
              ...fact,
              at: changes.created_at ?? fact.at,
              // The new set replaces the whole set, including that of a switch.
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

/** Facts in the order of their times; those of the same time stay in the order of the log. */
export const chronological = <F extends Fact>(facts: readonly F[]): F[] =>
  [...facts].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

/** The time of a new fact: it comes after all earlier ones, even if the clock was set back in between. */
export const timeAfter = (facts: readonly Fact[], now: Instant): Instant =>
  facts.reduce((latest, { at }) => laterOf(latest, at), now);

/**
 * Facts in the order of their times, each with all that it names. A switch acts where the status changes, and
 * sets the components that were named before. So an edit of an earlier fact takes part in it as if it had
 * always been so.
 */
export const inEffect = <F extends Fact>(facts: readonly F[]): F[] => {
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
 * The statuses of components that a fact sets. A maintenance names components before it has begun,
 * but sets none (decisions.md: Incidents, Maintenance).
 */
export const setBy = (fact: Fact): ComponentMap => (fact.status === 'scheduled' ? {} : fact.components);

/** The ids of all components that facts name, in the order they were named. */
export const namedBy = (facts: readonly Fact[]): string[] => [
  ...new Set(facts.flatMap((fact) => Object.keys(fact.components))),
];

/** The status by the last fact in the order of their times; null without facts. */
export const statusBy = (facts: readonly Fact[]): IncidentStatus | null =>
  facts.reduce<Fact | null>((last, fact) => (last === null || fact.at >= last.at ? fact : last), null)?.status ?? null;

export interface Standing {
  status: IncidentStatus;
  monitoring_at: Instant | null;
  resolved_at: Instant | null;
}

/**
 * What is derived from an incident's facts in the order of their times (decisions.md: Incidents):
 * `monitoring_at` is the first time it became `monitoring`; `resolved_at` the time it was resolved,
 * updated whenever that status was sent again, cleared by reopening.
 */
export const standingOf = (facts: readonly Fact[]): Standing => {
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
