import { NotFound } from '../domain/errors.ts';
import { isDomain, normalizedDomain, normalizedSubdomain } from '../domain/page/names.ts';
import { isPublicTo } from '../domain/page/visitors.ts';
import { instantOf, millisecondsOf } from '../domain/time.ts';
import { incidents } from '../projections/incidents/projection.ts';
import type { PageDocument } from '../projections/pages/documents.ts';
import { pages } from '../projections/pages/projection.ts';
import { joined, type Listing, type Paging } from './listing.ts';
import { ownDocuments } from './own-documents.ts';
import type { Scope } from './scope.ts';

export interface ScoredPage extends PageDocument {
  /** how many incident updates it had in the last 30 days (decisions.md: Status pages) */
  activity_score: number;
}

type Asking = Pick<Scope, 'read' | 'organizationId' | 'now'>;

const own = ownDocuments((read) => read(pages).pages, 'page', {
  sort: { name: 1 },
  where: { deleted_at: null },
  filters: {},
});

/** Whatever stands below a page is there only if this finds it. @throws NotFound */
export const findPage = own.one;

/** @throws NotFound */
export const pageWithScore = async (scope: Asking, pageId: string): Promise<ScoredPage> =>
  scored(scope, await findPage(scope, pageId));

/** The pages of the organization, by name. */
export const listPages = async (scope: Asking, paging: Paging): Promise<Listing<ScoredPage>> =>
  joined(await own.list(scope, {}, paging), async () => (page) => scored(scope, page));

/** The organization's page of a custom domain, or else of a subdomain. @throws NotFound */
export const pageOfDomain = async (scope: Asking, domain: string): Promise<ScoredPage> =>
  scored(scope, await findByDomain(scope, domain, (page) => own.isThere(page, scope)));

/**
 * The page of a custom domain, or else of a subdomain, whosever it is, if a visitor may see it. Not all that it holds is
 * for them: neither whom it is closed to nor how it notifies (decisions.md: Status pages).
 *
 * @param address where the visitor comes from; null where nobody knows
 * @throws NotFound
 */
export const visitedPageOfDomain = async (
  scope: Pick<Scope, 'read' | 'now'>,
  domain: string,
  address: string | null,
): Promise<ScoredPage> => scored(scope, await findByDomain(scope, domain, (page) => isPublicTo(page, address)));

/** The page of a custom domain, or else of a subdomain, among those that somebody sees. @throws NotFound */
export const findByDomain = async (
  { read }: Pick<Scope, 'read'>,
  domain: string,
  sees: (page: PageDocument) => boolean,
): Promise<PageDocument> => {
  const { pages: all } = read(pages);
  const named = [
    ...(isDomain(domain) ? await all.find({ where: { domain_key: normalizedDomain(domain), deleted_at: null } }) : []),
    ...(await all.find({ where: { subdomain: normalizedSubdomain(domain), deleted_at: null } })),
  ];
  const page = named.find(sees);
  if (!page) throw new NotFound('There is no page of that domain.');
  return page;
};

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1_000;

const scored = async ({ read, now }: Pick<Scope, 'read' | 'now'>, page: PageDocument): Promise<ScoredPage> => ({
  ...page,
  activity_score: await read(incidents).incident_updates.count({
    page_id: page.id,
    created_at: { $gte: instantOf(millisecondsOf(now) - THIRTY_DAYS) },
  }),
});
