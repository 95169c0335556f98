import { createHash } from 'node:crypto';
import type { Mac } from '../../../domain/signed-token.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { Read } from '../../../projections/readers.ts';
import { readComponentVersions } from '../../../queries/pages/components.ts';

/** The kinds of changes to a page. */
export const CHANGE_KINDS = ['page', 'components', 'incidents'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The version of everything that a page shows. If two versions are equal, the page has not changed between them. */
export interface PageVersion {
  /** digest of each part of the page */
  parts: Readonly<Record<ChangeKind, string>>;
  /** positions of the read models to which a change is written one after another; empty if they agree */
  positions: string;
  /**
   * derived from `parts` and `positions`, and the same in every process. It is public, so it must not reveal anything
   * about its inputs
   */
  token: string;
}

/** Reads the version of a page. It reads only three short lists, however large the page is. */
export const readVersion = async (
  read: Read,
  mac: Mac,
  page: PageDocument,
  positions: string,
): Promise<PageVersion> => {
  const [shown, regular, maintenances] = await Promise.all([
    readComponentVersions({ read }, page.id),
    lastOf(read, page, 'regular'),
    lastOf(read, page, 'maintenance'),
  ]);
  const parts = {
    page: digestOfPage(page),
    components: digestOf(JSON.stringify(shown)),
    incidents: digestOf(JSON.stringify([regular, maintenances])),
  };
  const sealed = await mac('page version', JSON.stringify([page.id, parts, positions]));
  return { parts, positions, token: sealed.slice(0, TOKEN_LENGTH) };
};

const TOKEN_LENGTH = 22;

/** Returns the number of incidents of a kind, and the incident that changed most recently. */
const lastOf = async (read: Read, { id: page_id }: PageDocument, kind: 'regular' | 'maintenance') => {
  const model = read(incidents).incidents;
  const where = { page_id, kind };
  const sort = { changed_position: -1, updated_at: -1 } as const;
  return Promise.all([
    model.count(where),
    model.pick(['id', 'changed_position', 'updated_at'], { where, sort, limit: 1 }),
  ]);
};

const digests = new WeakMap<PageDocument, string>();

/**
 * Returns the digest of a page document. `updated_at` can't replace the digest, because it does not change when a
 * password changes. The digest is computed once per document object. Requests share these objects through a cache.
 */
export const digestOfPage = (page: PageDocument): string => {
  const known = digests.get(page);
  if (known !== undefined) return known;
  const digest = digestOf(JSON.stringify(page));
  digests.set(page, digest);
  return digest;
};

const digestOf = (text: string): string => createHash('sha1').update(text).digest('base64url');
