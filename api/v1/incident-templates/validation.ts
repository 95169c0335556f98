import { isFields, type Fields } from '../../../domain/fields.ts';
import {
  brokenTemplate,
  fieldsAfter,
  TEMPLATE_DEFAULTS,
  TEMPLATE_KINDS,
} from '../../../domain/incident-template/template.ts';
import type { IncidentTemplateFields } from '../../../domain/incident-template/events.ts';
import { ALL_STATUSES } from '../../../domain/incident/statuses.ts';
import type { Sentences } from '../../../http/validation-messages.ts';
import { knownComponents } from '../../../queries/pages/components.ts';
import { livePages } from '../../../queries/pages/pages.ts';
import type { Reading } from '../../../queries/engine/scope.ts';

// Fields that the schema refuses count as absent here, so that one response names all errors of a request.

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

const broken = async (scope: Reading, fields: Dependent): Promise<Sentences> => {
  const { page_id, components } = fields;
  const isThere = page_id !== null && (await livePages(scope, [page_id])).has(page_id);
  return brokenTemplate(fields, isThere ? await knownComponents(scope, page_id, Object.keys(components)) : null);
};

export const brokenCreation = (scope: Reading, body: Fields): Promise<Sentences> =>
  broken(scope, { ...TEMPLATE_DEFAULTS, ...readable(body) });

/** @param template the stored one */
export const brokenUpdate = async (scope: Reading, body: Fields, template: Dependent): Promise<Sentences> => {
  const hasPage = template.page_id === null || (await livePages(scope, [template.page_id])).has(template.page_id);
  const { page_id, kind, status, components } = template;
  return broken(scope, fieldsAfter<Dependent>({ page_id, kind, status, components }, readable(body), hasPage));
};
