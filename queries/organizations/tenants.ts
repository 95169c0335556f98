import { isReachable } from '../../domain/page/access.ts';
import { heartbeats } from '../../projections/heartbeats/projection.ts';
import { pages } from '../../projections/pages/projection.ts';
import { findByDomain, pageOfSubdomain } from '../pages/pages.ts';
import { canSeePage, type Visit } from '../pages/visits.ts';

// Functions that find the organization of a public path. Anything that a visitor may not see belongs to none.

/** For a path with `{page_id}`: the page's organization; null if the visitor may not see the page. */
export const tenantOfPage = async ({ page_id }: { page_id: string }, visit: Visit): Promise<string | null> => {
  const page = await visit.read(pages).pages.get(page_id);
  return page?.deleted_at === null && (await canSeePage(visit, page)) ? page.organization_id : null;
};

/**
 * Like `tenantOfPage`, but only for a page that everybody may see from any address, because the response may be cached
 * and read anywhere.
 */
export const tenantOfOpenPage = ({ page_id }: { page_id: string }, visit: Visit): Promise<string | null> =>
  tenantOfPage({ page_id }, { ...visit, clientAddress: null, credential: null });

/** Like `tenantOfPage`, for a page that the visitor could see with a password, if the page has one. */
export const tenantOfReachablePage = async (
  { page_id }: { page_id: string },
  { read, clientAddress }: Pick<Visit, 'read' | 'clientAddress'>,
): Promise<string | null> => {
  const page = await read(pages).pages.get(page_id);
  return page?.deleted_at === null && isReachable(page, clientAddress) ? page.organization_id : null;
};

/** For a path with `{page_id}` that also contains a secret, which grants access to content that is not public. */
export const ownerOfPage = async (
  { page_id }: { page_id: string },
  { read }: Pick<Visit, 'read'>,
): Promise<string | null> => {
  const page = await read(pages).pages.get(page_id);
  return page?.deleted_at === null ? page.organization_id : null;
};

/** For the paths of a status page: the page's organization; site/pages/page-route.ts checks access. */
export const tenantOfSubdomain = async (
  { subdomain }: { subdomain: string },
  { read }: Pick<Visit, 'read'>,
): Promise<string | null> => (await pageOfSubdomain(read, subdomain))?.organization_id ?? null;

/** For a path with `{domain}`: the organization of the page with this custom domain or subdomain. @throws NotFound */
export const tenantOfDomain = async ({ domain }: { domain: string }, visit: Visit): Promise<string> =>
  (await findByDomain(visit, domain, (page) => canSeePage(visit, page))).organization_id;

/** For a path with `{heartbeat_key}`: anyone who knows the id of a heartbeat may ping it. */
export const tenantOfHeartbeat = async (
  { heartbeat_key }: { heartbeat_key: string },
  { read }: Pick<Visit, 'read'>,
): Promise<string | null> => (await read(heartbeats).heartbeats.get(heartbeat_key))?.organization_id ?? null;
