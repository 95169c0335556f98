import type { Fields } from '../../domain/fields.ts';
import type { Client } from '../apply/client.ts';
import { arrayOf } from '../import-from/history/page.ts';
import type { Destination } from './destination.ts';
import { findPage, readInParts } from './find.ts';
import { statuspageComponents, statuspageIncident, statuspagePage } from './statuspage-format.ts';

export const INCIDENT_FORMATS = ['json', 'statuspage'] as const;
export type IncidentFormat = (typeof INCIDENT_FORMATS)[number];

const ALL_MAINTENANCE = 'scheduled,in_progress,verifying,completed';

/**
 * Writes all incidents and maintenances of a page with their updates as one JSON object, an incident a line. At most a
 * hundred incidents are in memory.
 *
 * @throws OperatorError the page does not exist, or the service can't be reached
 */
export const exportIncidents = async (
  client: Client,
  { page: text, format }: { page: string; format: IncidentFormat },
  { write }: Destination,
): Promise<void> => {
  const page = await findPage(client, text);
  const path = `/v1/pages/${page.id}`;
  const components = arrayOf(await client.get(`${path}/components`));
  const isStatuspage = format === 'statuspage';
  const head: Fields = isStatuspage
    ? { page: statuspagePage(page), ...statuspageComponents(components) }
    : { page, components };
  const shown = (incident: Fields): Fields => (isStatuspage ? statuspageIncident(incident, components) : incident);
  for (const [index, [name, value]] of Object.entries(head).entries()) {
    await write(`${index === 0 ? '{' : ''}${JSON.stringify(name)}:${JSON.stringify(value)},\n`);
  }
  await write('"incidents":[\n');
  let separator = '';
  for (const list of [`${path}/incidents`, `${path}/incidents/maintenance?status=${ALL_MAINTENANCE}`]) {
    for await (const part of readInParts(client, list, 'incidents')) {
      for (const incident of part) {
        await write(`${separator}${JSON.stringify(shown(incident))}\n`);
        separator = ',';
      }
    }
  }
  await write(']}\n');
};
