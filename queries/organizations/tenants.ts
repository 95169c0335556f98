import { isReachable } from '../../domain/page/access.ts';
import { heartbeats } from '../../projections/heartbeats/projection.ts';
import { pages } from '../../projections/pages/projection.ts';
import { findByDomain, pageOfSubdomain } from '../pages/pages.ts';
import { canSeePage, type Visit } from '../pages/visits.ts';

// Functions that find the organization of a public path. They return null if the visitor is not allowed to see the
// page.

/** Returns the organization of a page, or null if the visitor is not allowed to see it. For paths with `{page_id}`. */
export const tenantOfPage = async ({ page_id }: { page_id: string }, visit: Visit): Promise<string | null> => {
  const page = await visit.read(pages).pages.get(page_id);
  return page?.deleted_at === null && (await canSeePage(visit, page)) ? page.organization_id : null;
};

/**
 * Returns the organization of a page that everybody can see from any address, otherwise null. For responses that caches
 * can store and send to other visitors.
 */
export const tenantOfOpenPage = ({ page_id }: { page_id: string }, visit: Visit): Promise<string | null> =>
  tenantOfPage({ page_id }, { ...visit, clientAddress: null, credential: null });

/** Returns the organization of a page that the visitor can see, or could see with its password, otherwise null. */
export const tenantOfReachablePage = async (
  { page_id }: { page_id: string },
  { read, clientAddress }: Pick<Visit, 'read' | 'clientAddress'>,
): Promise<string | null> => {
  const page = await read(pages).pages.get(page_id);
  return page?.deleted_at === null && isReachable(page, clientAddress) ? page.organization_id : null;
};

/** Returns the organization of a page. For paths with a secret, which grants access to content that is not public. */
export const ownerOfPage = async (
  { page_id }: { page_id: string },
  { read }: Pick<Visit, 'read'>,
): Promise<string | null> => {
  const page = await read(pages).pages.get(page_id);
  return page?.deleted_at === null ? page.organization_id : null;
};

/** Returns the organization of a status page. Does not check access, because site/pages/page-route.ts does. */
export const tenantOfSubdomain = async (
  { subdomain }: { subdomain: string },
  { read }: Pick<Visit, 'read'>,
): Promise<string | null> => (await pageOfSubdomain(read, subdomain))?.organization_id ?? null;

/**
 * Returns the organization of the page with a custom domain or subdomain. For paths with `{domain}`.
 *
 * @throws NotFound
 */
export const tenantOfDomain = async ({ domain }: { domain: string }, visit: Visit): Promise<string> =>
  (await findByDomain(visit, domain, (page) => canSeePage(visit, page))).organization_id;

/**
 * Returns the organization of a heartbeat. For paths with `{heartbeat_key}`, which is secret: everybody who knows the
 * key can ping the heartbeat.
 */
export const tenantOfHeartbeat = async (
  { heartbeat_key }: { heartbeat_key: string },
  { read }: Pick<Visit, 'read'>,
): Promise<string | null> => (await read(heartbeats).heartbeats.get(heartbeat_key))?.organization_id ?? null;
