import { isDeepStrictEqual } from 'node:util';
import { isFields, type Fields } from '../../../domain/fields.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ImportedIncident, ImportedUpdate } from '../imported.ts';
import type { HistoryClient } from './client.ts';
import { appendUpdate } from './create-incident.ts';
import { backdatedTo, componentMapOf, isOver, metadataOf, switchesOf, timesOf } from './incident-bodies.ts';
import { arrayOf, type TargetPage } from './page.ts';
import { publishPostmortem } from './postmortem.ts';

/** A request that brings an incident of the service up to date. */
export type Change = (client: HistoryClient) => Promise<unknown>;

/**
 * Compares an incident of the service with the imported one. Returns the requests that are necessary: new updates,
 * edited updates, and changed fields. What was written here in addition stays.
 *
 * @param existing the incident as the service returns it
 */
export const changesOf = (page: TargetPage, existing: Fields, imported: ImportedIncident, now: Instant): Change[] => {
  const path = `${page.path}/incidents/${String(existing['id'])}`;
  const { matched, missing } = matchUpdates(arrayOf(existing['incident_updates']), imported.updates);
  const edits = matched.flatMap(([update, before]): Change[] => {
    const edit = editOf(update, before, page, now);
    if (Object.keys(edit).length === 0) return [];
    return [(client) => client.write('PUT', `${path}/incident_updates/${String(before['id'])}`, edit)];
  });
  const appended = missing.map(
    (update): Change =>
      (client) =>
        appendUpdate(client, path, update, page, now),
  );
  const fields = fieldChanges(existing, imported, now);
  const changed: Change[] = Object.keys(fields).length === 0 ? [] : [(client) => client.write('PUT', path, fields)];
  const { postmortem } = imported;
  const published: Change[] =
    postmortem === undefined || existing['postmortem_body'] === postmortem
      ? []
      : [(client) => publishPostmortem(client, path, postmortem)];
  // The switches of a maintenance are among the fields. They must see the updates that came before.
  return [...edits, ...appended, ...changed, ...published];
};

const isSameTime = (a: unknown, b: Instant): boolean => typeof a === 'string' && a.slice(0, 23) === b.slice(0, 23);

/**
 * Finds the update of the service for each imported one: first by time and status, then, among the remaining ones in
 * their order, by status and text, for an update whose time was changed.
 *
 * @param existing the updates of the service, newest first
 */
const matchUpdates = (existing: readonly Fields[], imported: readonly ImportedUpdate[]) => {
  const left = [...existing].reverse();
  const matches = new Map<ImportedUpdate, Fields>();
  const take = (update: ImportedUpdate, isMatch: (one: Fields) => boolean): void => {
    const index = matches.has(update) ? -1 : left.findIndex(isMatch);
    const [found] = index < 0 ? [] : left.splice(index, 1);
    if (found) matches.set(update, found);
  };
  const isSame = ({ status, created_at: at, body }: ImportedUpdate, one: Fields, by: 'time' | 'text'): boolean =>
    one['status'] === status && (by === 'time' ? isSameTime(one['created_at'], at) : one['body'] === body);
  for (const update of imported) take(update, (one) => isSame(update, one, 'time') && isSame(update, one, 'text'));
  for (const update of imported) take(update, (one) => isSame(update, one, 'time'));
  for (const update of imported) take(update, (one) => isSame(update, one, 'text'));
  return {
    matched: imported.flatMap((update) => {
      const found = matches.get(update);
      return found ? [[update, found] as const] : [];
    }),
    missing: imported.filter((update) => !matches.has(update)),
  };
};

const editOf = (update: ImportedUpdate, before: Fields, page: TargetPage, now: Instant): Fields => {
  const components = componentMapOf(update, page);
  const isMoved = update.created_at < now && !isSameTime(before['created_at'], update.created_at);
  return {
    ...(before['body'] !== update.body && { body: update.body }),
    ...(isMoved && { created_at: backdatedTo(update.created_at, now).backdated_to }),
    // An update that names no components may have got some from a switch of the maintenance.
    ...(Object.keys(components).length > 0 && !isDeepStrictEqual(before['components'], components) && { components }),
  };
};

/** Returns the fields of the incident that differ. */
const fieldChanges = (existing: Fields, imported: ImportedIncident, now: Instant): Fields => {
  const before = isFields(existing['metadata']) ? existing['metadata'] : {};
  const wanted: Fields = {
    name: imported.name,
    impact: imported.impact,
    metadata: { ...before, ...metadataOf(imported) },
    ...(imported.kind === 'maintenance' && timesOf(imported)),
    ...(imported.kind === 'maintenance' && !isOver(imported.updates.at(-1)?.status) && switchesOf(imported, now)),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(existing[field], value)),
  );
};
