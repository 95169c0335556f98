import { changedFields } from '../changes.ts';
import { unreachable, type Decider } from '../decider.ts';
import { checkCount, checkNamed, refuse, type Broken, type KnownComponents } from '../incident/named-components.ts';
import { statusesOf } from '../incident/statuses.ts';
import { isThere, lifecycleOf } from '../lifecycle.ts';
import type { Page } from '../page/state.ts';
import type { IncidentTemplateEvent, IncidentTemplateFields } from './events.ts';

export type IncidentTemplate =
  { status: 'absent' } | { status: 'there'; id: string; fields: IncidentTemplateFields } | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<IncidentTemplate>('incident template');

export const TEMPLATE_KINDS = ['incident', 'maintenance'] as const satisfies readonly IncidentTemplateFields['kind'][];

/** What a new template is set to where nothing was sent. */
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

/** A template as a caller sends it to be made. */
export type NewIncidentTemplate = Partial<IncidentTemplateFields> & Pick<IncidentTemplateFields, 'name'>;

export const NO_SUCH_PAGE = 'There is no such page.';

/** The fields that depend on each other. */
type Dependent = Pick<IncidentTemplateFields, 'page_id' | 'kind' | 'status' | 'components'>;

/**
 * What is wrong with fields besides their own form.
 *
 * @param page the one that `page_id` names; null: the organization has none of this id
 */
export const brokenTemplate = (
  { page_id, kind, status, components }: Dependent,
  page: KnownComponents | null,
): Broken => {
  const broken: Broken = {};
  const statuses = statusesOf(kind === 'maintenance' ? 'maintenance' : 'regular');
  if (status !== null && !statuses.includes(status)) broken['status'] = [`Must be one of: ${statuses.join(', ')}.`];
  if (page_id === null) {
    if (Object.keys(components).length > 0) broken['components'] = ['Needs page_id: components belong to a page.'];
  } else if (!page) broken['page_id'] = [NO_SUCH_PAGE];
  else {
    checkNamed(broken, 'components', page, components);
    checkCount(broken, 'components', Object.keys(components));
  }
  return broken;
};

/**
 * The fields that depend on each other after a change. Components stay with the page that they belong to: a template
 * that moves to another page names none unless the change says which. One whose page was deleted has no page.
 *
 * @param hasPage whether the page that it names so far exists
 */
export const fieldsAfter = <F extends Dependent>(before: F, input: Partial<F>, hasPage: boolean): F => {
  const current: F = hasPage ? before : { ...before, page_id: null, components: {} };
  const moves = input.page_id !== undefined && input.page_id !== current.page_id;
  return { ...current, ...(moves && { components: {} }), ...input };
};

const componentsOf = (page: Page | null): KnownComponents | null => (page?.status === 'active' ? page : null);

/** @param page the one that the input names; null: the organization has none. @throws Invalid */
export const createTemplate = (
  template: IncidentTemplate,
  id: string,
  organizationId: string,
  input: NewIncidentTemplate,
  page: Page | null,
): IncidentTemplateEvent => {
  requireAbsent(template);
  const fields = { ...TEMPLATE_DEFAULTS, ...input };
  refuse(brokenTemplate(fields, componentsOf(page)));
  return {
    type: 'IncidentTemplateCreated',
    data: { incident_template_id: id, organization_id: organizationId, incident_template: fields },
  };
};

/**
 * Changes what differs. Components that were removed from the page meanwhile are left out.
 *
 * @param pages the page that it names so far, and the one that it names then; null: the organization has none
 * @throws NotFound, Invalid
 */
export const updateTemplate = (
  template: IncidentTemplate,
  input: Partial<IncidentTemplateFields>,
  pages: { before: Page | null; after: Page | null },
): IncidentTemplateEvent[] => {
  const { id, fields } = existing(template);
  const wanted = fieldsAfter(fields, input, pages.before !== null && isThere(pages.before));
  const after = componentsOf(pages.after);
  if (input.components === undefined) wanted.components = withoutRemoved(wanted.components, after);
  refuse(brokenTemplate(wanted, after));
  const changed = changedFields(fields, wanted);
  return changed ? [{ type: 'IncidentTemplateUpdated', data: { incident_template_id: id, ...changed } }] : [];
};

const withoutRemoved = (
  map: IncidentTemplateFields['components'],
  page: KnownComponents | null,
): IncidentTemplateFields['components'] =>
  Object.fromEntries(Object.entries(map).filter(([id]) => page?.components.has(id) === true));

/** @throws NotFound */
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

/** A template of incidents, maintenances and their updates: what is filled in before somebody writes one. */
export const incidentTemplateDecider: Decider<IncidentTemplate, IncidentTemplateEvent> = {
  category: 'incident_template',
  initialState: { status: 'absent' },
  evolve,
};
