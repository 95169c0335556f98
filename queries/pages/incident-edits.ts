import type { IncidentStatus } from '../../domain/incident/statuses.ts';
import { requireFound } from '../../domain/existence.ts';
import type { Instant } from '../../domain/time.ts';
import type { UpdateEditsDocument } from '../../projections/incident-edits/documents.ts';
import { incidentEdits } from '../../projections/incident-edits/projection.ts';
import type { IncidentDocument, IncidentUpdateView } from '../../projections/incidents/documents.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { ReadScope } from '../engine/scope.ts';
import { findIncident, type UpdateIds } from './incidents.ts';

/** The text of an update before it was edited. */
export interface PreviousText {
  /** Markdown */
  body: string;
  replaced_at: Instant;
}

/** A deleted update. */
export interface DeletedUpdate {
  id: string;
  status: IncidentStatus;
  /** Time of the update. */
  created_at: Instant;
  deleted_at: Instant;
  /** Markdown, possibly empty. Null if the text is withheld. */
  body: string | null;
}

/** The edits of an incident's updates that visitors are allowed to see. */
export interface IncidentEdits {
  /**
   * Texts before edits, newest first, by the id of the update. Contains only updates with at least one text that
   * visitors can see.
   */
  previous: ReadonlyMap<string, readonly PreviousText[]>;
  /** Deleted updates, most recently deleted first. */
  deleted: readonly DeletedUpdate[];
}

const NONE: IncidentEdits = { previous: new Map(), deleted: [] };

/** Maximum number of edited updates of an incident. If there are more, the most recently edited ones are shown. */
const MAX_EDITED = 200;
/** Maximum total length of the edited texts that are read for one incident, in characters. */
const MAX_LENGTH = 1_000_000;

/**
 * Reads the edits and deletions of an incident's updates that visitors are allowed to see. The result is empty if
 * `show_edits` is disabled for the page. Omits withheld texts, and edits made before `show_edits` was enabled for the
 * first time (docs/reference/incidents.md#visible-edits).
 */
export const readVisibleEdits = async (
  { read }: Pick<ReadScope, 'read'>,
  { id, page_id }: Pick<IncidentDocument, 'id' | 'page_id'>,
): Promise<IncidentEdits> => {
  const page = await read(pages).pages.get(page_id);
  if (!page?.show_edits || page.edits_from_position === null) return NONE;
  const since = page.edits_from_position;
  const previous = new Map<string, readonly PreviousText[]>();
  const deleted: DeletedUpdate[] = [];
  for (const edits of await editedAfter(read, id, since)) {
    if (edits.removed && edits.removed.position <= since) continue;
    const texts = previousTexts(edits, since);
    if (texts.length > 0) previous.set(edits.id, texts);
    if (edits.removed) deleted.push(deletedUpdate(edits.id, edits.removed, edits.withheld_at));
  }
  return { previous, deleted: deleted.sort((a, b) => (a.deleted_at < b.deleted_at ? 1 : -1)) };
};

/** Reads documents that changed after a position, most recent change first, up to the maximum total length. */
const editedAfter = async (
  read: ReadScope['read'],
  incident_id: string,
  position: number,
): Promise<readonly UpdateEditsDocument[]> => {
  const model = read(incidentEdits).update_edits;
  const changed = await model.pick(['id', 'length'], {
    where: { incident_id, changed_position: { $gt: position } },
    sort: { changed_position: -1 },
    limit: MAX_EDITED,
  });
  let left = MAX_LENGTH;
  const ids = changed.filter(({ length }) => (left -= length) >= 0).map(({ id }) => id);
  return ids.length === 0 ? [] : model.getMany(ids);
};

const previousTexts = ({ replaced }: UpdateEditsDocument, since: number): PreviousText[] =>
  replaced
    .filter(({ withheld, position }) => !withheld && position > since)
    .map(({ body, replaced_at }) => ({ body, replaced_at }))
    .reverse();

const deletedUpdate = (
  id: string,
  { update: { status, created_at, body }, removed_at }: NonNullable<UpdateEditsDocument['removed']>,
  withheldAt: Instant | null,
): DeletedUpdate => ({ id, status, created_at, deleted_at: removed_at, body: withheldAt === null ? body : null });

/** Returns the text of an update as visitors see it: Markdown, possibly empty, or null if it is withheld. */
export const visibleBody = ({ body, withheld_at }: Pick<IncidentUpdateView, 'body' | 'withheld_at'>): string | null =>
  withheld_at === null ? body : null;

/** Replaces withheld texts of an incident by empty texts, for visitors and their programs. */
export const withoutWithheldTexts = (incident: IncidentDocument): IncidentDocument => {
  const { incident_updates } = incident;
  if (incident_updates.every(({ withheld_at }) => withheld_at === null)) return incident;
  const updates = incident_updates.map((update) => ({ ...update, body: visibleBody(update) ?? '' }));
  return { ...incident, incident_updates: updates };
};

/** Finds an update of an incident. If it was deleted, returns its state before the deletion. @throws NotFound */
export const findUpdateEvenDeleted = async (scope: ReadScope, place: UpdateIds): Promise<IncidentUpdateView> => {
  const { id, incident_updates } = await findIncident(scope, place);
  const update = incident_updates.find((each) => each.id === place.incident_update_id);
  if (update) return update;
  const edits = await scope.read(incidentEdits).update_edits.get(place.incident_update_id);
  const { update: removed } = requireFound(edits?.incident_id === id ? edits.removed : null, 'incident update');
  const withheld_at = edits?.withheld_at ?? null;
  return { ...removed, withheld_at, updated_at: withheld_at ?? removed.updated_at };
};
