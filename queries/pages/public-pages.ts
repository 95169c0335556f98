import { isOpenToEveryone } from '../../domain/page/access.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { Scope } from '../engine/scope.ts';

export type PublicPage = Pick<PageDocument, 'name' | 'subdomain' | 'domain'>;

/** The listed public pages of a service. */
export interface PublicPages {
  pages: readonly PublicPage[];
  /** Whether there might be more public pages than those in `pages`. */
  more: boolean;
}

/** Maximum number of pages that are read. Pages with a password are read as well, and then skipped. */
const MOST_READ = 1_000;
const READ_AT_ONCE = 200;

/**
 * Lists the pages of all organizations that everybody can see and that are not hidden from search engines, by name.
 *
 * @param limit maximum number of listed pages
 */
export const listPublicPages = async (read: Scope['read'], limit: number): Promise<PublicPages> => {
  const listed: PublicPage[] = [];
  for (let skip = 0; skip < MOST_READ; skip += READ_AT_ONCE) {
    const found = await read(pages).pages.find({
      where: { deleted_at: null, hidden_from_search: false, viewers_must_be_team_members: false },
      sort: { name: 1 },
      skip,
      limit: READ_AT_ONCE,
    });
    for (const page of found) {
      if (!isOpenToEveryone(page)) continue;
      if (listed.length === limit) return { pages: listed, more: true };
      listed.push({ name: page.name, subdomain: page.subdomain, domain: page.domain });
    }
    if (found.length < READ_AT_ONCE) return { pages: listed, more: false };
  }
  return { pages: listed, more: true };
};
