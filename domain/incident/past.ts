import type { EventOf } from '../event-types.ts';
import { existing, type Page } from '../page/state.ts';
import type { Instant } from '../time.ts';
import type { ComponentMap, IncidentFields } from './fields.ts';
import {
  checkCount,
  checkNamedComponents,
  throwFieldErrors,
  type IncidentFieldErrors,
  type ComponentLookup,
} from './affected-components.ts';
import { MAX_UPDATES } from './rules.ts';
import { requireAbsent, type Incident } from './state.ts';
import { INCIDENT_STATUSES, type IncidentStatus } from './statuses.ts';

/** A past incident in a request. Its updates already have ids. */
export type PastIncident = Pick<IncidentFields, 'name' | 'impact'> &
  Partial<Pick<IncidentFields, 'metadata'>> & {
    incident_updates: readonly PastUpdate[];
    deliver_notifications?: boolean;
  };

export interface PastUpdate {
  id: string;
  body: string;
  status: IncidentStatus;
  created_at: Instant;
  components?: ComponentMap;
}

/**
 * Checks the updates of a past incident against the rules that a schema can't express. Ignores absent fields. Returns
 * errors by field.
 */
export const pastIncidentErrors = (
  page: ComponentLookup,
  updates: readonly Partial<Pick<PastUpdate, 'status' | 'created_at' | 'components'>>[],
  now: Instant,
): IncidentFieldErrors => {
  const broken: IncidentFieldErrors = {};
  updates.forEach(({ status, created_at: at, components = {} }, index) => {
    const path = `incident_updates.${index}`;
    const before = updates[index - 1]?.created_at;
    if (at !== undefined && at > now) broken[`${path}.created_at`] = ['Must not be in the future.'];
    else if (at !== undefined && before !== undefined && at < before) {
      broken[`${path}.created_at`] = ['Must not be earlier than that of the previous update.'];
    }
    if (status !== undefined && !(INCIDENT_STATUSES as readonly string[]).includes(status)) {
      broken[`${path}.status`] = [`Must be one of: ${INCIDENT_STATUSES.join(', ')}.`];
    } else if (status !== undefined && index === updates.length - 1 && status !== 'resolved') {
      broken[`${path}.status`] = ['Must be resolved for the last update.'];
    }
    checkNamedComponents(broken, `${path}.components`, page, components);
  });
  if (updates.length > MAX_UPDATES) {
    broken['incident_updates'] = [`An incident can have at most ${MAX_UPDATES} updates.`];
  }
  checkCount(
    broken,
    'incident_updates',
    updates.flatMap(({ components = {} }) => Object.keys(components)),
  );
  return broken;
};

/**
 * Records an incident that is already over (docs/reference/incidents.md#past-incidents).
 *
 * @throws NotFound the page does not exist
 * @throws Invalid
 */
export const logPastIncident = (
  incident: Incident,
  page: Page,
  id: string,
  input: PastIncident,
  now: Instant,
): EventOf<'PastIncidentLogged'> => {
  requireAbsent(incident);
  const active = existing(page);
  const updates = input.incident_updates.map((update) => ({ ...update, components: update.components ?? {} }));
  throwFieldErrors(pastIncidentErrors(active, updates, now));
  return {
    type: 'PastIncidentLogged',
    data: {
      incident_id: id,
      page_id: active.id,
      logged_at: now,
      incident: { name: input.name, impact: input.impact, metadata: input.metadata ?? null },
      updates: updates.map((update) => ({
        ...update,
        status_sent: true,
        deliver_notifications: input.deliver_notifications ?? false,
      })),
    },
  };
};
