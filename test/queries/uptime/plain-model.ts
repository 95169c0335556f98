import { COMPONENT_STATUSES, type ComponentStatus } from '../../../domain/page/component-status.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Fact } from '../../projections/history.ts';

/** An event that sets statuses: an incident update, a status change, a manual change, or a component's creation. */
interface Said {
  /** id of the incident; null for a manual change */
  incident: string | null;
  update: string | null;
  at: Instant;
  place: number;
  status: string;
  /** whether the status was part of the request, instead of carried over from the previous update */
  sent: boolean;
  components: Record<string, ComponentStatus>;
  /**
   * if this event changes the status of a maintenance: the status that it sets on all components named so far;
   * otherwise null
   */
  switches: ComponentStatus | null;
  past: boolean;
}

/** A period in which a holder holds a component in a status. */
interface Held {
  component: string;
  holder: string;
  status: ComponentStatus;
  at: Instant;
  place: number;
  /** when the holder chose another status or released the component; null while the holder still holds the status */
  until: Instant | null;
}

/** An instant after all others. */
const FOREVER: Instant = '9999-12-31T23:59:59.999999';

const rank = (status: ComponentStatus): number => COMPONENT_STATUSES.indexOf(status);
const resolved = (status: string): boolean => status === 'resolved' || status === 'completed';

/**
 * Implements the rules of docs/reference/uptime.md in a simple and slow way, to compare its results with those of the
 * product. Its functions determine the status at one instant from the whole history.
 */
export const plainModel = (facts: readonly Fact[]) => {
  const entries: Said[] = [];
  const holds: Held[] = [];
  const endHold = (component: string, holder: string, until: Instant): void => {
    for (const hold of holds) {
      if (hold.component === component && hold.holder === holder) hold.until ??= until;
    }
  };
  facts.forEach((fact, index) => {
    const place = index * 1_000;
    const { type, data } = fact;
    const addChange = (more: Partial<Said>): void => {
      entries.push({
        incident: null,
        update: null,
        at: '',
        place,
        status: '',
        sent: true,
        components: {},
        switches: null,
        past: false,
        ...more,
      });
    };
    if (type === 'ComponentAdded') {
      addChange({
        at: data.created_at,
        status: 'creation',
        components: { [data.component_id]: data.component.status },
      });
    } else if (type === 'ComponentUpdated' && data.changes.status) {
      addChange({ at: data.changed_at, status: 'edit', components: { [data.component_id]: data.changes.status } });
    } else if (type === 'ComponentHeld') {
      const { component_id: component, holder, status, held_at: at } = data;
      endHold(component, holder, at);
      holds.push({ component, holder, status, at, place, until: null });
    } else if (type === 'ComponentReleased') {
      endHold(data.component_id, data.holder, data.released_at);
    } else if (type === 'IncidentOpened' || type === 'MaintenanceScheduled' || type === 'IncidentUpdateAppended') {
      const { id, created_at: at, status, status_sent: sent, components } = data.update;
      const switched = type === 'IncidentUpdateAppended' ? data.switched : undefined;
      const own = switched ? { components: switched.sent, switches: switched.status } : { components };
      addChange({ incident: data.incident_id, update: id, at, status, sent, ...own });
    } else if (type === 'PastIncidentLogged') {
      data.updates.forEach(({ id, created_at: at, status, components }, n) => {
        addChange({ incident: data.incident_id, update: id, at, status, components, past: true, place: place + n });
      });
    } else if (type === 'IncidentStatusChanged') {
      const { changed_at: at, changes, switched } = data;
      addChange({ incident: data.incident_id, at, status: changes.status, switches: switched?.status ?? null });
    } else if (type === 'IncidentUpdateEdited') {
      const edited = entries.find(({ update }) => update === data.incident_update_id);
      if (edited) Object.assign(edited, { at: data.changes.created_at ?? edited.at });
      if (edited && data.changes.components) {
        Object.assign(edited, { components: data.changes.components, switches: null });
      }
    } else if (type === 'IncidentUpdateRemoved') {
      entries.splice(
        entries.findIndex(({ update }) => update === data.incident_update_id),
        1,
      );
    } else if (type === 'IncidentDeleted') {
      for (let n = entries.length - 1; n >= 0; n--) if (entries[n]?.incident === data.incident_id) entries.splice(n, 1);
    }
  });
  entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.place - b.place));

  const incidents = [...new Set(entries.map(({ incident }) => incident))].filter((id) => id !== null);
  for (const each of entries) {
    const before = entries.filter(({ incident }, n) => incident === each.incident && n < entries.indexOf(each));
    if (each.switches === null || before.at(-1)?.status === each.status) continue;
    for (const component of before.flatMap(({ components }) => Object.keys(components))) {
      each.components = { [component]: each.switches, ...each.components };
    }
  }
  const names = (incident: string, component: string): boolean =>
    entries.some((each) => each.incident === incident && component in each.components);
  const sets = (each: Said, component: string): boolean => each.status !== 'scheduled' && component in each.components;

  /** Returns the statuses in which holders hold a component at an instant. A manual change ends earlier holds. */
  const holding = (component: string, moment: Instant): ComponentStatus[] =>
    holds
      .filter(
        (hold) => hold.component === component && hold.at <= moment && (hold.until === null || hold.until > moment),
      )
      .filter(
        ({ at, place }) =>
          !entries.some(
            (each) =>
              each.status === 'edit' &&
              component in each.components &&
              each.at <= moment &&
              (each.at > at || (each.at === at && each.place > place)),
          ),
      )
      .map(({ status }) => status);

  /** Returns the worst of some statuses. */
  const worst = (words: readonly ComponentStatus[]): ComponentStatus =>
    words.reduce<ComponentStatus>((found, word) => (rank(word) > rank(found) ? word : found), 'operational');

  /** Returns all statuses of a component that are in effect at an instant. */
  const counting = (component: string, moment: Instant): ComponentStatus[] => {
    const until = entries.filter(({ at }) => at <= moment);
    const lastEdit = until.findLastIndex((each) => each.status === 'edit' && component in each.components);
    const setAfter = (index: number): boolean =>
      until.some((each, n) => n > index && !each.past && sets(each, component));
    const words = holding(component, moment);
    for (const incident of incidents) {
      const word = until.findLastIndex((each) => each.incident === incident && sets(each, component));
      if (word <= lastEdit) continue;
      const last = until.findLast((each) => each.incident === incident);
      const isOpen = last !== undefined && !resolved(last.status);
      const lastOpen = until.findLastIndex((each) => each.incident === incident && !resolved(each.status));
      const resolution = until.findIndex((each, n) => n > lastOpen && each.incident === incident);
      const left = !until[word]?.past && !setAfter(Math.max(resolution, word));
      if (isOpen || left) words.push(until[word]?.components[component] ?? 'operational');
    }
    const byHand = until.findLastIndex((each) => each.incident === null && component in each.components);
    if (byHand !== -1 && !setAfter(byHand)) words.push(until[byHand]?.components[component] ?? 'operational');
    return words;
  };

  return {
    /** Returns the current status of a component, as in the field `status` of the API. */
    status: (component: string): ComponentStatus | undefined => {
      const last = entries.findLast((each) => !each.past && sets(each, component))?.components[component];
      return last && worst([last, ...holding(component, FOREVER)]);
    },

    /** Returns the status that counts at an instant, or null if the instant is excluded from uptime. */
    at: (component: string, moment: Instant): ComponentStatus | null => {
      const maintained = incidents.some((incident) => {
        const last = entries.findLast((each) => each.incident === incident && each.at <= moment);
        return names(incident, component) && (last?.status === 'in_progress' || last?.status === 'verifying');
      });
      const words = counting(component, moment);
      if (maintained || words.includes('under_maintenance')) return null;
      return worst(words);
    },

    /** Returns the status that an incident update sets on a component. */
    setBy: (update: string, component: string): ComponentStatus | undefined =>
      entries.find((each) => each.update === update)?.components[component],

    /** Returns the incidents that name a component and were open, from first update to resolution, in a period. */
    related: (component: string, from: Instant, to: Instant): string[] =>
      incidents
        .filter((incident) => {
          const own = entries.filter((each) => each.incident === incident);
          const first = own.find(({ update }) => update !== null)?.at ?? '';
          let end: Instant | null = null;
          for (const { at, status, sent } of own) end = !resolved(status) ? null : end === null || sent ? at : end;
          return names(incident, component) && first <= to && (end === null || end >= from);
        })
        .sort(),
  };
};
