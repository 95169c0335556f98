import { NotFound } from '../../domain/errors.ts';
import { worstStatus, type ComponentStatus } from '../../domain/page/component-status.ts';
import { isDomain, normalizedDomain, normalizedSubdomain } from '../../domain/page/names.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { components } from '../../projections/components/projection.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { pages } from '../../projections/pages/projection.ts';
import { anyOf } from '../engine/filters.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';
import { canSeePage, type Visit } from './visits.ts';

export interface ScoredPage extends PageDocument {
  /** number of incident updates in the last 30 days (docs/reference/pages.md#fields) */
  activity_score: number;
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now'>;

const own = ownDocuments((read) => read(pages).pages, 'page', {
  sort: { name: 1 },
  where: { deleted_at: null },
  filters: {},
});

/**
 * Finds a page. If this function throws, callers must not return anything that belongs to the page.
 *
 * @throws NotFound
 */
export const findPage = own.one;

/** Returns those ids in `ids` that belong to existing pages of the organization. */
export const findExistingPageIds = async (scope: ReadScope, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const found = ids.length === 0 ? [] : await scope.read(pages).pages.getMany([...new Set(ids)]);
  return new Set(found.filter((page) => own.isThere(page, scope)).map(({ id }) => id));
};

/** @throws NotFound */
export const showPage = async (scope: QueryScope, pageId: string): Promise<ScoredPage> =>
  scored(scope, await findPage(scope, pageId));

/** A page in a list, with the worst status of its components if requested. */
export interface ListedPage extends ScoredPage {
  worst_status?: ComponentStatus;
}

/** Lists the pages of the organization, by name. @param withStatus whether to read the statuses of their components */
export const listPages = async (scope: QueryScope, paging: Paging, withStatus = false): Promise<Listing<ListedPage>> =>
  joinItems(await own.list(scope, {}, paging), async (listed) => {
    const statuses = withStatus ? await worstStatuses(scope, listed) : null;
    return async (page) => ({
      ...(await scored(scope, page)),
      ...(statuses && { worst_status: worstStatus(statuses.get(page.id) ?? []) }),
    });
  });

/** Returns the worst status of the components of each page, by page id. */
const worstStatuses = async (
  { read }: QueryScope,
  listed: readonly PageDocument[],
): Promise<ReadonlyMap<string, readonly ComponentStatus[]>> => {
  if (listed.length === 0) return new Map();
  const where = { page_id: anyOf(listed.map(({ id }) => id)) };
  const found = await read(components).components.pick(['page_id', 'group', 'status'], { where });
  const statuses = new Map<string, ComponentStatus[]>();
  for (const { page_id, group, status } of found) {
    if (!group) statuses.set(page_id, [...(statuses.get(page_id) ?? []), status]);
  }
  return statuses;
};

/** Finds the organization's page by its custom domain, or else by its subdomain. @throws NotFound */
export const pageOfDomain = async (scope: QueryScope, domain: string): Promise<ScoredPage> =>
  scored(scope, await findByDomain(scope, domain, (page) => own.isThere(page, scope)));

/**
 * Finds a page of any organization by its custom domain, or else by its subdomain, if the visitor is allowed to see it.
 * Responses to visitors must omit access rules and notification settings (docs/reference/pages.md#lookup-by-domain).
 *
 * @throws NotFound
 */
export const visitedPageOfDomain = async (visit: Visit, domain: string): Promise<ScoredPage> =>
  scored(visit, await findByDomain(visit, domain, (page) => canSeePage(visit, page)));

/** Finds the page of any organization by its subdomain. Returns null if there is none. */
export const pageOfSubdomain = async (read: Scope['read'], subdomain: string): Promise<PageDocument | null> => {
  const [page] = await read(pages).pages.find({
    where: { subdomain: normalizedSubdomain(subdomain), deleted_at: null },
    limit: 1,
  });
  return page ?? null;
};

/** Finds the page of any organization by its custom domain. Returns null if there is none. */
export const pageOfCustomDomain = async (read: Scope['read'], domain: string): Promise<PageDocument | null> => {
  const [page] = await read(pages).pages.find({
    where: { domain_key: normalizedDomain(domain), deleted_at: null },
    limit: 1,
  });
  return page ?? null;
};

/** Tests whether any page of any organization has a custom domain. */
export const anyCustomDomain = async (read: Scope['read']): Promise<boolean> =>
  (await read(pages).pages.find({ where: { domain_key: { $gt: '' } }, limit: 1 })).length > 0;

/**
 * Finds a page by its custom domain, or else by its subdomain. Ignores pages for which `matches` returns false.
 *
 * @throws NotFound
 */
export const findByDomain = async (
  { read }: Pick<Scope, 'read'>,
  domain: string,
  matches: (page: PageDocument) => boolean | Promise<boolean>,
): Promise<PageDocument> => {
  const { pages: all } = read(pages);
  const named = [
    ...(isDomain(domain) ? await all.find({ where: { domain_key: normalizedDomain(domain), deleted_at: null } }) : []),
    ...(await all.find({ where: { subdomain: normalizedSubdomain(domain), deleted_at: null } })),
  ];
  for (const page of named) if (await matches(page)) return page;
  throw new NotFound('No page has this domain.');
};

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1_000;

const scored = async ({ read, now }: Pick<Scope, 'read' | 'now'>, page: PageDocument): Promise<ScoredPage> => ({
  ...page,
  activity_score: await read(incidents).incident_updates.count({
    page_id: page.id,
    created_at: { $gte: instantOf(millisecondsOf(now) - THIRTY_DAYS) },
  }),
});
