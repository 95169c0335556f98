import type { EventOf } from '../event-types.ts';
import { changedFields } from '../changes.ts';
import { IllegalState } from '../errors.ts';
import { notFound } from '../existence.ts';
import { existing as existingPage, type Page } from '../page/state.ts';
import { isBlank, NOT_BLANK } from '../text.ts';
import type { Instant } from '../time.ts';
import { existingOn } from './decide.ts';
import { inEffect, componentsNamedBy } from './facts.ts';
import type { UpdateFields } from './fields.ts';
import {
  checkCount,
  checkNamedComponents,
  throwFieldErrors,
  type IncidentFieldErrors,
  type ComponentLookup,
} from './affected-components.ts';
import { checkSize } from './size.ts';
import type { ExistingIncident, Incident } from './state.ts';

/**
 * An edit of an update. `components` replaces all components of the update
 * (docs/reference/incidents.md#editing-updates).
 */
export type UpdateEdit = Partial<Editable>;
type Editable = Pick<UpdateFields, 'body' | 'created_at' | 'components'>;

/**
 * Edits an update. The edit applies retroactively, from the time of the update
 * (docs/reference/incidents.md#editing-updates).
 *
 * @throws NotFound
 * @throws Invalid for example, the new time is in the future
 */
export const editUpdate = (
  state: Incident,
  pageState: Page,
  updateId: string,
  edit: UpdateEdit,
  now: Instant,
): EventOf<'IncidentUpdateEdited'>[] => {
  const page = existingPage(pageState);
  const incident = existingOn(page, state);
  const update = updateOf(incident, updateId);
  const { body, created_at, components } = edit;
  const changed = changedFields<Editable>(update, { body, created_at, components });
  if (!changed) return [];
  const { changes } = changed;
  throwFieldErrors(editErrors(componentsNamedBy(incident.facts), page, changes, now));
  const event: EventOf<'IncidentUpdateEdited'> = {
    type: 'IncidentUpdateEdited',
    data: {
      incident_id: incident.id,
      page_id: incident.page_id,
      incident_update_id: updateId,
      edited_at: now,
      ...changed,
    },
  };
  checkSize(incident, event, Object.keys(changes)[0] ?? 'body');
  return [event];
};

/**
 * Checks an edit of an update against the rules that a schema can't express. For example, an edit can't remove the
 * body. Returns errors by field.
 *
 * @param named ids of all components of the incident
 */
export const editErrors = (
  named: readonly string[],
  page: ComponentLookup,
  changes: UpdateEdit,
  now: Instant,
): IncidentFieldErrors => {
  const broken: IncidentFieldErrors = {};
  if (changes.body === '') broken['body'] = ['Must not be empty.'];
  else if (changes.body !== undefined && isBlank(changes.body)) broken['body'] = [NOT_BLANK];
  if (changes.created_at !== undefined && changes.created_at > now) {
    broken['created_at'] = ['Must not be in the future.'];
  }
  checkNamedComponents(broken, 'components', page, changes.components ?? {});
  checkCount(broken, 'components', [...named, ...Object.keys(changes.components ?? {})]);
  return broken;
};

/**
 * Removes an update and undoes its effect.
 *
 * @throws NotFound
 * @throws IllegalState the incident has no other update
 */
export const removeUpdate = (
  state: Incident,
  pageState: Page,
  updateId: string,
  now: Instant,
): EventOf<'IncidentUpdateRemoved'> => {
  const incident = existingOn(existingPage(pageState), state);
  const update = updateOf(incident, updateId);
  if (incident.texts.size === 1) throw new IllegalState("The last update of an incident can't be deleted.");
  return {
    type: 'IncidentUpdateRemoved',
    data: {
      incident_id: incident.id,
      page_id: incident.page_id,
      incident_update_id: updateId,
      removed_at: now,
      update,
    },
  };
};

/**
 * Hides the current text of an update and its earlier texts from visitors. This is also possible after the update was
 * removed. Returns no event if the current text is already hidden.
 *
 * @throws NotFound
 */
export const withholdText = (
  state: Incident,
  pageState: Page,
  updateId: string,
  now: Instant,
): EventOf<'IncidentUpdateTextWithheld'>[] => {
  const incident = existingOn(existingPage(pageState), state);
  if (!incident.texts.has(updateId) && !incident.removed.has(updateId)) throw notFound('incident update');
  if (incident.withheld.has(updateId)) return [];
  const { id: incident_id, page_id } = incident;
  return [
    {
      type: 'IncidentUpdateTextWithheld',
      data: { incident_id, page_id, incident_update_id: updateId, withheld_at: now },
    },
  ];
};

const updateOf = (incident: ExistingIncident, id: string): UpdateFields => {
  const fact = inEffect(incident.facts).find((candidate) => candidate.update_id === id);
  const text = incident.texts.get(id);
  if (!fact || !text) throw notFound('incident update');
  const { status, status_sent, components, at } = fact;
  return { id, ...text, status, status_sent, components, created_at: at };
};
