import { components } from '../../../projections/components/projection.ts';
import type { WriteReport } from '../../../projections/engine/status/write-reports.ts';
import { incidentEdits } from '../../../projections/incident-edits/projection.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { pages } from '../../../projections/pages/projection.ts';
import type { CollectionReader, Read } from '../../../projections/readers.ts';
import type { ChangeKind } from './page-version.ts';

/** A change of documents that belong to a page. */
export interface PageChange {
  pageId: string;
  kind: ChangeKind;
  /** ids of the written documents */
  ids: readonly string[];
}

type OnAPage = Pick<CollectionReader<{ id: string; page_id: string }>, 'pick'>;

/**
 * Collections whose documents show which page a commit affects, by projection. Every visible change of a page writes to
 * at least one of them.
 */
const FOLLOWED: Readonly<Record<string, readonly string[]>> = {
  [pages.name]: ['pages'],
  [incidents.name]: ['incidents'],
  [components.name]: ['components', 'lanes'],
  [incidentEdits.name]: ['update_edits'],
};

export const isRelevant = ({ projection, collections }: WriteReport): boolean => {
  const followed = FOLLOWED[projection];
  return followed !== undefined && (collections === 'unknown' || followed.some((name) => collections.has(name)));
};

/** Returns the pages that a write affects, or `any` if they can't be determined. */
export const affectedPages = (
  { projection, collections }: WriteReport,
  read: Read,
): readonly (PageChange | 'any')[] | Promise<readonly (PageChange | 'any')[]> => {
  if (collections === 'unknown') return ['any'];
  const ids = new Set<string>();
  for (const name of FOLLOWED[projection] ?? []) {
    const written = collections.get(name) ?? [];
    if (written === 'many') return ['any'];
    for (const id of written) ids.add(name === 'lanes' ? componentOfTimeline(id) : id);
  }
  if (projection === pages.name) return [...ids].map((id) => ({ pageId: id, kind: 'page', ids: [id] }));
  if (projection === components.name) return pagesOf(read(components).components, 'components', [...ids]);
  return projection === incidents.name ? pagesOfIncidents(read, [...ids]) : pagesOfEdits(read, [...ids]);
};

const pagesOfIncidents = (read: Read, ids: readonly string[]) => pagesOf(read(incidents).incidents, 'incidents', ids);

const pagesOfEdits = async (read: Read, ids: readonly string[]) => {
  const edits = await read(incidentEdits).update_edits.pick(['id', 'incident_id'], { where: { id: { $in: ids } } });
  return pagesOfIncidents(read, [...new Set(edits.map(({ incident_id }) => incident_id))]);
};

/** Returns the component id in the id of a timeline document (projections/components/documents.ts). */
const componentOfTimeline = (id: string): string => /[:=]([a-z0-9]+)$/.exec(id)?.[1] ?? id.slice(0, id.indexOf('@'));

const pagesOf = async (
  model: OnAPage,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<readonly (PageChange | 'any')[]> => {
  const found = await model.pick(['id', 'page_id'], { where: { id: { $in: ids } } });
  // A missing document was deleted, so its page is unknown.
  if (found.length < ids.length) return ['any'];
  const byPage = new Map<string, string[]>();
  for (const { id, page_id } of found) byPage.set(page_id, [...(byPage.get(page_id) ?? []), id]);
  return [...byPage].map(([pageId, those]) => ({ pageId, kind, ids: those }));
};
