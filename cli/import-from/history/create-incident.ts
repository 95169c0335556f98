import { isFields } from '../../../domain/fields.ts';
import type { Instant } from '../../../domain/time.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import type { ImportedIncident, ImportedUpdate } from '../imported.ts';
import { NotImportable, type HistoryClient } from './client.ts';
import { backdatedTo, componentMapOf, isOver, metadataOf, switchesOf, timesOf } from './incident-bodies.ts';
import type { TargetPage } from './page.ts';
import { publishPostmortem } from './postmortem.ts';

/**
 * Creates an incident with its updates and their original times. Nobody is notified. A past incident is created by one
 * request. If the import of another one is interrupted, the next import finds what exists and adds the rest.
 */
export const createIncident = async (
  client: HistoryClient,
  page: TargetPage,
  incident: ImportedIncident,
  now: Instant,
): Promise<void> => {
  const { updates, kind, postmortem } = incident;
  const id =
    kind === 'incident' && isOver(updates.at(-1)?.status)
      ? await logPastIncident(client, page, incident, now)
      : await openIncident(client, page, incident, now);
  if (postmortem !== undefined) await publishPostmortem(client, `${page.path}/incidents/${id}`, postmortem);
};

const logPastIncident = async (
  client: HistoryClient,
  page: TargetPage,
  incident: ImportedIncident,
  now: Instant,
): Promise<string> => {
  const body = {
    name: incident.name,
    impact: incident.impact,
    metadata: metadataOf(incident),
    deliver_notifications: false,
    incident_updates: incident.updates.map((update) => ({
      body: update.body,
      status: update.status,
      created_at: update.created_at < now ? update.created_at : now,
      components: componentMapOf(update, page),
    })),
  };
  return idOf(await client.write('POST', `${page.path}/incidents/log-past-incident`, body));
};

const openIncident = async (
  client: HistoryClient,
  page: TargetPage,
  incident: ImportedIncident,
  now: Instant,
): Promise<string> => {
  const { updates, kind, name, impact } = incident;
  const [first, ...others] = updates;
  if (!first) throw new NotImportable('It has no update.');
  // The switches of a maintenance are set last, so that the service does not act on an unfinished maintenance.
  const body = {
    name,
    impact,
    metadata: metadataOf(incident),
    ...(kind === 'maintenance' && timesOf(incident)),
    ...updateBody(first, page, now),
  };
  const id = idOf(await client.write('POST', `${page.path}/incidents`, body));
  const path = `${page.path}/incidents/${id}`;
  for (const update of others) await appendUpdate(client, path, update, page, now);
  if (kind === 'maintenance' && !isOver(updates.at(-1)?.status)) {
    await client.write('PUT', path, switchesOf(incident, now));
  }
  return id;
};

/** Appends an update with its original time. @param path path of the incident */
export const appendUpdate = async (
  client: HistoryClient,
  path: string,
  update: ImportedUpdate,
  page: TargetPage,
  now: Instant,
): Promise<void> => {
  await client.write('POST', `${path}/incident_updates`, updateBody(update, page, now));
};

const updateBody = (update: ImportedUpdate, page: TargetPage, now: Instant) => ({
  status: update.status,
  body: update.body,
  components: componentMapOf(update, page),
  deliver_notifications: false,
  ...backdatedTo(update.created_at, now),
});

const idOf = (response: unknown): string => {
  const id = isFields(response) ? response['id'] : null;
  if (typeof id !== 'string') throw new OperatorError('The service returned no id.');
  return id;
};
