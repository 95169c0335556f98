import { isFields, type Fields } from '../../../domain/fields.ts';
import {
  templateErrors,
  fieldsAfter,
  TEMPLATE_DEFAULTS,
  TEMPLATE_KINDS,
} from '../../../domain/incident-template/template.ts';
import type { IncidentTemplateFields } from '../../../domain/incident-template/events.ts';
import { ALL_STATUSES } from '../../../domain/incident/statuses.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { knownComponents } from '../../../queries/pages/components.ts';
import { findExistingPageIds } from '../../../queries/pages/pages.ts';
import type { ReadScope } from '../../../queries/engine/scope.ts';

// One response names all errors of a request. The functions of this file treat fields that the schema refuses as
// absent.

type Dependent = Pick<IncidentTemplateFields, 'page_id' | 'kind' | 'status' | 'components'>;

const readable = ({ page_id, kind, status, components }: Fields): Partial<Dependent> => {
  const knownKind = TEMPLATE_KINDS.find((one) => one === kind);
  const knownStatus = ALL_STATUSES.find((one) => one === status);
  return {
    ...((typeof page_id === 'string' || page_id === null) && { page_id }),
    ...(knownKind && { kind: knownKind }),
    ...(knownStatus ? { status: knownStatus } : status === null && { status }),
    ...(isFields(components) && { components: components as Dependent['components'] }),
  };
};

const broken = async (scope: ReadScope, fields: Dependent): Promise<FieldMessages> => {
  const { page_id, components } = fields;
  const isThere = page_id !== null && (await findExistingPageIds(scope, [page_id])).has(page_id);
  return templateErrors(fields, isThere ? await knownComponents(scope, page_id, Object.keys(components)) : null);
};

export const templateBodyErrors = (scope: ReadScope, body: Fields): Promise<FieldMessages> =>
  broken(scope, { ...TEMPLATE_DEFAULTS, ...readable(body) });

/** @param template the template before the change */
export const templateChangeBodyErrors = async (
  scope: ReadScope,
  body: Fields,
  template: Dependent,
): Promise<FieldMessages> => {
  const hasPage =
    template.page_id === null || (await findExistingPageIds(scope, [template.page_id])).has(template.page_id);
  const { page_id, kind, status, components } = template;
  return broken(scope, fieldsAfter<Dependent>({ page_id, kind, status, components }, readable(body), hasPage));
};
