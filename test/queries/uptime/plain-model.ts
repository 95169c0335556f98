import { COMPONENT_STATUSES, type ComponentStatus } from '../../../domain/page/component-status.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Fact } from '../../projections/history.ts';

/** A status: set by an incident's update or status change, manually, or at the creation of a component. */
interface Said {
  /** incident, or null if set manually */
  incident: string | null;
  update: string | null;
  at: Instant;
  place: number;
  status: string;
  /** the status was sent, not carried over */
  sent: boolean;
  components: Record<string, ComponentStatus>;
  /** the status that a maintenance sets on all components named before, if its status changes here */
  switches: ComponentStatus | null;
  past: boolean;
}

/** A holder holds a component in a status, until it holds it in another one or releases it. */
interface Held {
  component: string;
  holder: string;
  status: ComponentStatus;
  at: Instant;
  place: number;
  /** null: it still does */
  until: Instant | null;
}

/** After everything. */
const FOREVER: Instant = '9999-12-31T23:59:59.999999';

const rank = (status: ComponentStatus): number => COMPONENT_STATUSES.indexOf(status);
const resolved = (status: string): boolean => status === 'resolved' || status === 'completed';

/**
 * The rules of docs/reference/uptime.md as functions of single instants, over the whole history: slow and simple, for
 * comparison with the fast implementation.
 */
export const plainModel = (facts: readonly Fact[]) => {
  const said: Said[] = [];
  const holds: Held[] = [];
  const endHold = (component: string, holder: string, until: Instant): void => {
    for (const hold of holds) {
      if (hold.component === component && hold.holder === holder) hold.until ??= until;
    }
  };
  facts.forEach((fact, index) => {
    const place = index * 1_000;
    const { type, data } = fact;
    const say = (more: Partial<Said>): void => {
      said.push({
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
      say({ at: data.created_at, status: 'creation', components: { [data.component_id]: data.component.status } });
    } else if (type === 'ComponentUpdated' && data.changes.status) {
      say({ at: data.changed_at, status: 'edit', components: { [data.component_id]: data.changes.status } });
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
      say({ incident: data.incident_id, update: id, at, status, sent, ...own });
    } else if (type === 'PastIncidentLogged') {
      data.updates.forEach(({ id, created_at: at, status, components }, n) => {
        say({ incident: data.incident_id, update: id, at, status, components, past: true, place: place + n });
      });
    } else if (type === 'IncidentStatusChanged') {
      const { changed_at: at, changes, switched } = data;
      say({ incident: data.incident_id, at, status: changes.status, switches: switched?.status ?? null });
    } else if (type === 'IncidentUpdateEdited') {
      const edited = said.find(({ update }) => update === data.incident_update_id);
      if (edited) Object.assign(edited, { at: data.changes.created_at ?? edited.at });
      if (edited && data.changes.components) {
        Object.assign(edited, { components: data.changes.components, switches: null });
      }
    } else if (type === 'IncidentUpdateRemoved') {
      said.splice(
        said.findIndex(({ update }) => update === data.incident_update_id),
        1,
      );
    } else if (type === 'IncidentDeleted') {
      for (let n = said.length - 1; n >= 0; n--) if (said[n]?.incident === data.incident_id) said.splice(n, 1);
    }
  });
  said.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.place - b.place));

  const incidents = [...new Set(said.map(({ incident }) => incident))].filter((id) => id !== null);
  for (const each of said) {
    const before = said.filter(({ incident }, n) => incident === each.incident && n < said.indexOf(each));
    if (each.switches === null || before.at(-1)?.status === each.status) continue;
    for (const component of before.flatMap(({ components }) => Object.keys(components))) {
      each.components = { [component]: each.switches, ...each.components };
    }
  }
  const names = (incident: string, component: string): boolean =>
    said.some((each) => each.incident === incident && component in each.components);
  const sets = (each: Said, component: string): boolean => each.status !== 'scheduled' && component in each.components;

  /** The statuses of a component's holders at an instant, since its last manual change. */
  const holding = (component: string, moment: Instant): ComponentStatus[] =>
    holds
      .filter(
        (hold) => hold.component === component && hold.at <= moment && (hold.until === null || hold.until > moment),
      )
      .filter(
        ({ at, place }) =>
          !said.some(
            (each) =>
              each.status === 'edit' &&
              component in each.components &&
              each.at <= moment &&
              (each.at > at || (each.at === at && each.place > place)),
          ),
      )
      .map(({ status }) => status);

  /** The worst of some statuses. */
  const worst = (words: readonly ComponentStatus[]): ComponentStatus =>
    words.reduce<ComponentStatus>((found, word) => (rank(word) > rank(found) ? word : found), 'operational');

  /** Statuses of a component that count at an instant. */
  const counting = (component: string, moment: Instant): ComponentStatus[] => {
    const until = said.filter(({ at }) => at <= moment);
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
    /** `Component.status` */
    status: (component: string): ComponentStatus | undefined => {
      const last = said.findLast((each) => !each.past && sets(each, component))?.components[component];
      return last && worst([last, ...holding(component, FOREVER)]);
    },

    /** The status that counts at an instant; null: the instant is excluded. */
    at: (component: string, moment: Instant): ComponentStatus | null => {
      const maintained = incidents.some((incident) => {
        const last = said.findLast((each) => each.incident === incident && each.at <= moment);
        return names(incident, component) && (last?.status === 'in_progress' || last?.status === 'verifying');
      });
      const words = counting(component, moment);
      if (maintained || words.includes('under_maintenance')) return null;
      return worst(words);
    },

    /** The status that an update sets on a component. */
    setBy: (update: string, component: string): ComponentStatus | undefined =>
      said.find((each) => each.update === update)?.components[component],

    /** Incidents that name the component, and whose time from first update to resolution overlaps. */
    related: (component: string, from: Instant, to: Instant): string[] =>
      incidents
        .filter((incident) => {
          const own = said.filter((each) => each.incident === incident);
          const first = own.find(({ update }) => update !== null)?.at ?? '';
          let end: Instant | null = null;
          for (const { at, status, sent } of own) end = !resolved(status) ? null : end === null || sent ? at : end;
          return names(incident, component) && first <= to && (end === null || end >= from);
        })
        .sort(),
  };
};
