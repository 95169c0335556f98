import type { Fields } from '../../../domain/fields.ts';
import { MAX_BODY, MAX_INCIDENT_NAME } from '../../../domain/incident/rules.ts';
import { ALL_STATUSES, MAINTENANCE_STATUSES } from '../../../domain/incident/statuses.ts';
import { MAX_NAME } from '../../../domain/page/rules.ts';
import type { TemplateEntry } from '../../configuration/model.ts';
import type { PageParts } from './components.ts';
import type { Remarks } from '../remarks.ts';
import { cut, objectsOf, oneOf, textOf } from './values.ts';

/** Maps the incident templates of a page. */
export const templatesOf = (
  templates: readonly Fields[],
  page: string,
  parts: PageParts,
  remarks: Remarks,
): TemplateEntry[] => {
  const taken = new Set<string>();
  return templates.map((template) => {
    const name = textOf(template['name']) ?? textOf(template['title']) ?? 'Template';
    let unique = cut(name, MAX_NAME);
    for (let number = 2; taken.has(unique); number++) unique = `${cut(name, MAX_NAME - 6)} (${number})`;
    taken.add(unique);
    const status = oneOf(ALL_STATUSES, template['update_status']);
    const isMaintenance = (MAINTENANCE_STATUSES as readonly unknown[]).includes(status);
    const named = objectsOf(template['components']).flatMap(({ id }) => parts.references.get(textOf(id) ?? '') ?? []);
    if (named.length > 0 && !isMaintenance) {
      remarks.add('A template of Uptrail needs a status for each component, so its components were left out.', unique);
    }
    const title = textOf(template['title']);
    const body = textOf(template['body']);
    if (body !== null && /\{\{.*?\}\}/s.test(body)) {
      remarks.add('Uptrail does not fill in variables of templates. They stay in the text as they are.', unique);
    }
    return {
      name: unique,
      page,
      kind: isMaintenance ? 'maintenance' : 'incident',
      incident_name: title === null ? null : cut(title, MAX_INCIDENT_NAME),
      status,
      body: body === null ? null : cut(body, MAX_BODY),
      deliver_notifications: template['should_send_notifications'] !== false,
      ...(isMaintenance && {
        components: named.map((component) => ({ component, status: 'under_maintenance' })),
      }),
    };
  });
};
