import { requireFound, notFound } from '../../domain/existence.ts';
import { sameText } from '../../domain/signed-token.ts';
import type { IncidentDocument, PostmortemDocument } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { findIncident, type IncidentIds } from './incidents.ts';
import { openText } from '../../stores/keys/port.ts';
import type { Scope } from '../engine/scope.ts';

/** A postmortem with its decrypted preview key. */
export interface FoundPostmortem {
  postmortem: PostmortemDocument;
  incident_id: string;
  preview_key: string | null;
}

type PostmortemScope = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

/** The postmortem of an incident. @throws NotFound */
export const findPostmortem = async (scope: PostmortemScope, place: IncidentIds): Promise<FoundPostmortem> => {
  const { id: incident_id } = await findIncident(scope, place);
  const postmortem = requireFound(await scope.read(incidents).postmortems.get(incident_id), 'postmortem');
  const { organizationId } = scope;
  const sealed = postmortem.preview_key;
  const preview_key = sealed && (await openText(sealed, { organizationId, field: 'preview_key' }, scope.keys));
  return { postmortem, incident_id, preview_key };
};

/** Tests whether an incident has a postmortem. */
export const hasPostmortem = async ({ read }: Pick<Scope, 'read'>, { id }: IncidentDocument): Promise<boolean> =>
  (await read(incidents).postmortems.get(id)) !== null;

/** Finds a postmortem draft by its preview key. @throws NotFound if the key is wrong, or the draft does not exist */
export const previewedPostmortem = async (
  scope: PostmortemScope,
  place: IncidentIds,
  key: string,
): Promise<FoundPostmortem> => {
  const previewed = await findPostmortem(scope, place);
  if (previewed.preview_key === null || !sameText(previewed.preview_key, key)) throw notFound('postmortem');
  return previewed;
};
