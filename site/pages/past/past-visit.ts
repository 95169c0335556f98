import { NotFound } from '../../../domain/errors.ts';
import { admitsAllOf } from '../../../domain/page/access.ts';
import { instantOf, parseInstant, type Instant } from '../../../domain/time.ts';
import { addressLimitKey } from '../../../http/routes/caller.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { OF_PAGES } from '../../../projections/past/past-events.ts';
import { isInFuture } from '../../../projections/past/past-reads.ts';
import type { PageVisit, SiteCall } from '../visit.ts';
import { rangeOf } from './past-range.ts';
import { neighboursOf } from './shown-moments.ts';

/**
 * Types of events that also change the states before them. For example, a text that is withheld now is not shown in
 * past states either.
 */
const ALSO = ['IncidentUpdateTextWithheld'] as const;
/**
 * Fraction of a page's events that a request for a past state counts towards the client's limit. A request counts at
 * least `LEAST_FOLDED` events.
 */
const FOLDED_PART = 1 / 2;
const LEAST_FOLDED = 200;

/** Categories of the events that past states are folded from. Only checks of the page's components are read. */
const FOLDED = [...OF_PAGES, 'check'];

type PastCall = Pick<SiteCall, 'past' | 'limits' | 'clientAddress'>;

/**
 * Returns the visit with the page's state at a past moment. Texts, components and incidents are those of that moment.
 * Access, settings and appearance are those of the current page. Measurements are not shown.
 *
 * @param requested `2026-11-20T15:04:05Z`, or seconds since 1970
 * @throws NotFound the page has no past states for visitors, or none at this moment; or the moment is not valid
 * @throws HttpError 429 this client has requested too many past states
 */
export const visitAt = async (visit: PageVisit, requested: string, call: PastCall): Promise<PageVisit> => {
  const { page: current, scope } = visit;
  const at = momentOf(requested);
  if (!current.allow_history || at === null || isInFuture(at, scope.now)) throw notThen();
  const client = addressLimitKey(call.clientAddress ?? undefined);
  call.limits.past.check(client);
  call.limits.past.spend(client, LEAST_FOLDED);
  const owner = { organizationId: current.organization_id, pageId: current.id };
  const state = call.past.at(owner, at, { also: ALSO });
  const events = await state.events(FOLDED);
  // Concurrent requests of this client may have used up the limit while the events were read. The events that were
  // charged in advance must not count against this request itself.
  call.limits.past.spend(client, -LEAST_FOLDED);
  call.limits.past.check(client);
  call.limits.past.spend(client, Math.max(LEAST_FOLDED, events.length * FOLDED_PART));
  const { read } = state;
  const then = await read(pages).pages.get(current.id);
  if (!then || then.deleted_at !== null || !admitsAllOf(then, current)) throw notThen();
  const { earlier, later } = await neighboursOf(events, current, at);
  return {
    ...visit,
    scope: { ...scope, read, now: at, resultsFrom: () => at },
    page: withTextsOf(then, current),
    sentModes: new Set(),
    past: {
      ...rangeOf(current, scope.now),
      shown: { at, query: queryOf(at), earlier: earlier && queryOf(earlier), later: later && queryOf(later) },
    },
    current,
  };
};

const notThen = (): NotFound => new NotFound('Not found.');

const momentOf = (requested: string): Instant | null => {
  if (/^\d{1,11}$/.test(requested)) return instantOf((Number(requested) + 1) * 1_000 - 1);
  return parseInstant(requested);
};

const queryOf = (at: Instant): string => `at=${at}Z`;

const withTextsOf = (then: PageDocument, current: PageDocument): PageDocument => {
  const { name, headline, page_description, updated_at } = then;
  return { ...current, name, headline, page_description, updated_at, show_measurements: false };
};
