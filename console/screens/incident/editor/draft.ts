import type { Schemas } from '../../../api/openapi.d.ts';

export type Incident = Schemas['Incident'];
export type Status = Incident['status'];
export type Impact = Incident['impact'];
export type Component = Schemas['Component'];
export type ComponentStatus = Component['status'];
export type Kind = 'incident' | 'maintenance';

/** The draft of an incident, a maintenance, or an update. Field names are those of the API. */
export interface Draft {
  name: string;
  status: Status;
  /** empty: the service derives the impact from the component statuses */
  impact: Impact | '';
  body: string;
  components: Readonly<Record<string, ComponentStatus>>;
  /** ids of components that are in `components` only because a final status set them to operational */
  recovered: readonly string[];
  deliver_notifications: boolean;
  /** time of the incident or update in UTC; null: the time of publication */
  created_at: string | null;
  scheduled_for: string | null;
  scheduled_until: string | null;
  scheduled_remind_prior: boolean;
  reminder_intervals: string;
  scheduled_auto_in_progress: boolean;
  scheduled_auto_completed: boolean;
  auto_transition_to_maintenance_state: boolean;
  auto_transition_to_operational_state: boolean;
  auto_transition_deliver_notifications_at_start: boolean;
  auto_transition_deliver_notifications_at_end: boolean;
}

export const STATUSES: Readonly<Record<Kind, readonly Status[]>> = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['scheduled', 'in_progress', 'verifying', 'completed'],
};

export const IMPACTS: readonly Impact[] = ['none', 'minor', 'major', 'critical'];

export const COMPONENT_STATUSES: readonly ComponentStatus[] = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
];

export const kindOf = ({ scheduled_for }: Pick<Incident, 'scheduled_for'>): Kind =>
  scheduled_for === null ? 'incident' : 'maintenance';

/** Returns an empty draft. In a draft of a maintenance, the automatic steps are switched on. */
export const emptyDraft = (kind: Kind): Draft => {
  const planned = kind === 'maintenance';
  return {
    name: '',
    status: planned ? 'scheduled' : 'investigating',
    impact: '',
    body: '',
    components: {},
    recovered: [],
    deliver_notifications: true,
    created_at: null,
    scheduled_for: null,
    scheduled_until: null,
    scheduled_remind_prior: planned,
    reminder_intervals: '',
    scheduled_auto_in_progress: planned,
    scheduled_auto_completed: planned,
    auto_transition_to_maintenance_state: planned,
    auto_transition_to_operational_state: planned,
    auto_transition_deliver_notifications_at_start: planned,
    auto_transition_deliver_notifications_at_end: planned,
  };
};

/** Returns an empty draft of an update. Its initial status is that of the incident. */
export const updateDraft = ({ status, scheduled_for }: Pick<Incident, 'status' | 'scheduled_for'>): Draft => ({
  ...emptyDraft(kindOf({ scheduled_for })),
  status,
});

/** Returns whether the draft has content that would be lost by leaving the screen. */
export const isWritten = (draft: Draft, before: Draft): boolean =>
  (Object.keys(before) as (keyof Draft)[]).some((key) => JSON.stringify(draft[key]) !== JSON.stringify(before[key]));

const ENDS: readonly Status[] = ['resolved', 'completed'];

/**
 * Changes the status of a draft. A final status also sets all affected components to operational, except those for
 * which the user has chosen a status. Changing back to a status that is not final removes the components that were set
 * in this way.
 *
 * @param named the incident's components with their current statuses
 */
export const withStatus = (
  { components, recovered }: Pick<Draft, 'components' | 'recovered'>,
  status: Status,
  named: readonly Pick<Component, 'id' | 'status'>[],
): Pick<Draft, 'status' | 'components' | 'recovered'> => {
  const chosen = Object.fromEntries(Object.entries(components).filter(([id]) => !recovered.includes(id)));
  if (!ENDS.includes(status)) return { status, components: chosen, recovered: [] };
  const ids = named.flatMap((one) => (one.status === 'operational' || one.id in chosen ? [] : [one.id]));
  const recovering = Object.fromEntries(ids.map((id) => [id, 'operational' as const]));
  return { status, components: { ...chosen, ...recovering }, recovered: ids };
};

/** Changes the status of a component in a draft; null removes the component. */
export const withComponent = (
  { components, recovered }: Pick<Draft, 'components' | 'recovered'>,
  id: string,
  status: ComponentStatus | null,
): Pick<Draft, 'components' | 'recovered'> => {
  const others = Object.entries(components).filter(([other]) => other !== id);
  return {
    components: status === null ? Object.fromEntries(others) : { ...components, [id]: status },
    recovered: recovered.filter((other) => other !== id),
  };
};

type Template = Schemas['IncidentTemplate'];

/** Applies a template to a draft. Fields that are empty in the template are unchanged. */
export const withTemplate = (draft: Draft, template: Template, known: ReadonlySet<string>): Draft => {
  const kind: Kind = template.kind;
  const components = Object.fromEntries(Object.entries(template.components).filter(([id]) => known.has(id)));
  return {
    ...draft,
    ...(template.incident_name !== null && { name: template.incident_name }),
    ...(template.status !== null && STATUSES[kind].includes(draft.status) && { status: template.status }),
    ...(template.impact !== null && { impact: template.impact }),
    ...(template.body !== null && { body: template.body }),
    components: { ...draft.components, ...components },
    recovered: draft.recovered.filter((id) => !(id in components)),
    deliver_notifications: template.deliver_notifications,
  };
};
