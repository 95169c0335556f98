import { changedFields } from '../changes.ts';
import { unreachable, type Decider } from '../decider.ts';
import {
  checkCount,
  checkNamedComponents,
  throwFieldErrors,
  type IncidentFieldErrors,
  type ComponentLookup,
} from '../incident/affected-components.ts';
import { statusesOf } from '../incident/statuses.ts';
import { isExisting, lifecycleOf } from '../existence.ts';
import type { Page } from '../page/state.ts';
import type { IncidentTemplateEvent, IncidentTemplateFields } from './events.ts';

export type IncidentTemplate =
  { status: 'absent' } | { status: 'there'; id: string; fields: IncidentTemplateFields } | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<IncidentTemplate>('incident template');

export const TEMPLATE_KINDS = ['incident', 'maintenance'] as const satisfies readonly IncidentTemplateFields['kind'][];

/** The defaults of a new template. */
export const TEMPLATE_DEFAULTS = {
  page_id: null,
  kind: 'incident',
  incident_name: null,
  status: null,
  impact: null,
  body: null,
  components: {},
  deliver_notifications: true,
} as const satisfies Omit<IncidentTemplateFields, 'name'>;

/** The body of a request that creates a template. */
export type NewIncidentTemplate = Partial<IncidentTemplateFields> & Pick<IncidentTemplateFields, 'name'>;

export const NO_SUCH_PAGE = 'There is no such page.';

/** The fields of a template that must be validated together, because they depend on each other. */
type Dependent = Pick<IncidentTemplateFields, 'page_id' | 'kind' | 'status' | 'components'>;

/**
 * Validates rules that a schema can't express: rules about several fields of a template, and rules about the page of a
 * template. Returns errors by field.
 *
 * @param page the page with the id `page_id`; null if the organization has no such page
 */
export const templateErrors = (
  { page_id, kind, status, components }: Dependent,
  page: ComponentLookup | null,
): IncidentFieldErrors => {
  const broken: IncidentFieldErrors = {};
  const statuses = statusesOf(kind === 'maintenance' ? 'maintenance' : 'regular');
  if (status !== null && !statuses.includes(status)) broken['status'] = [`Must be one of: ${statuses.join(', ')}.`];
  if (page_id === null) {
    if (Object.keys(components).length > 0)
      broken['components'] = ['Requires page_id, since components belong to a page.'];
  } else if (!page) broken['page_id'] = [NO_SUCH_PAGE];
  else {
    checkNamedComponents(broken, 'components', page, components);
    checkCount(broken, 'components', Object.keys(components));
  }
  return broken;
};

/**
 * Returns the fields of a template after a change. If the template moves to another page, its components are removed,
 * unless the change sets new components. If the page of the template was deleted, the template counts as having no
 * page.
 *
 * @param hasPage whether the current page of the template exists
 */
export const fieldsAfter = <F extends Dependent>(before: F, input: Partial<F>, hasPage: boolean): F => {
  const current: F = hasPage ? before : { ...before, page_id: null, components: {} };
  const moves = input.page_id !== undefined && input.page_id !== current.page_id;
  return { ...current, ...(moves && { components: {} }), ...input };
};

const componentsOf = (page: Page | null): ComponentLookup | null => (page?.status === 'active' ? page : null);

/**
 * Creates a template.
 *
 * @param page the page in the input; null if the organization has no such page
 * @throws Invalid
 */
export const createTemplate = (
  template: IncidentTemplate,
  id: string,
  organizationId: string,
  input: NewIncidentTemplate,
  page: Page | null,
): IncidentTemplateEvent => {
  requireAbsent(template);
  const fields = { ...TEMPLATE_DEFAULTS, ...input };
  throwFieldErrors(templateErrors(fields, componentsOf(page)));
  return {
    type: 'IncidentTemplateCreated',
    data: { incident_template_id: id, organization_id: organizationId, incident_template: fields },
  };
};

/**
 * Changes the fields that differ from the current fields. Components that no longer exist on the page are removed from
 * the template.
 *
 * @param pages the page of the template before and after the change; null if the organization has no such page
 * @throws NotFound, Invalid
 */
export const updateTemplate = (
  template: IncidentTemplate,
  input: Partial<IncidentTemplateFields>,
  pages: { before: Page | null; after: Page | null },
): IncidentTemplateEvent[] => {
  const { id, fields } = existing(template);
  const wanted = fieldsAfter(fields, input, pages.before !== null && isExisting(pages.before));
  const after = componentsOf(pages.after);
  if (input.components === undefined) wanted.components = withoutRemoved(wanted.components, after);
  throwFieldErrors(templateErrors(wanted, after));
  const changed = changedFields(fields, wanted);
  return changed ? [{ type: 'IncidentTemplateUpdated', data: { incident_template_id: id, ...changed } }] : [];
};

const withoutRemoved = (
  map: IncidentTemplateFields['components'],
  page: ComponentLookup | null,
): IncidentTemplateFields['components'] =>
  Object.fromEntries(Object.entries(map).filter(([id]) => page?.components.has(id) === true));

/** Deletes a template. @throws NotFound */
export const deleteTemplate = (template: IncidentTemplate): IncidentTemplateEvent => ({
  type: 'IncidentTemplateDeleted',
  data: { incident_template_id: existing(template).id },
});

const evolve = (template: IncidentTemplate, event: IncidentTemplateEvent): IncidentTemplate => {
  switch (event.type) {
    case 'IncidentTemplateCreated':
      return { status: 'there', id: event.data.incident_template_id, fields: event.data.incident_template };
    case 'IncidentTemplateUpdated':
      return onExisting(template, (there) => ({ ...there, fields: { ...there.fields, ...event.data.changes } }));
    case 'IncidentTemplateDeleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
};

/**
 * The decider of incident templates. A template contains prefilled fields for incidents, maintenances and their
 * updates.
 */
export const incidentTemplateDecider: Decider<IncidentTemplate, IncidentTemplateEvent> = {
  category: 'incident_template',
  initialState: { status: 'absent' },
  evolve,
};
