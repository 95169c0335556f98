import { isPublicTo } from '../domain/page/visitors.ts';
import type { PageDocument } from '../projections/pages/documents.ts';
import { pages } from '../projections/pages/projection.ts';
import { findByDomain } from './pages.ts';
import type { Scope } from './scope.ts';

/** A caller of something that needs no key. */
export interface Visit {
  read: Scope['read'];
  /** where the visitor comes from; null where nobody knows */
  clientAddress: string | null;
}

// Whose a public path is, for the routes that are declared with it. What a visitor may not see is nobody's.

/** Of a path with `{page_id}`: whose page it is, as far as visitors see it. */
export const tenantOfPage = async ({ page_id }: { page_id: string }, visit: Visit): Promise<string | null> => {
  const page = await visit.read(pages).pages.get(page_id);
  return page?.deleted_at === null && isSeen(page, visit) ? page.organization_id : null;
};

/** Of a path with `{domain}`: whose page has that custom domain or else subdomain. @throws NotFound */
export const tenantOfDomain = async ({ domain }: { domain: string }, visit: Visit): Promise<string> =>
  (await findByDomain(visit, domain, (page) => isSeen(page, visit))).organization_id;

const isSeen = (page: PageDocument, { clientAddress }: Visit): boolean => isPublicTo(page, clientAddress);
