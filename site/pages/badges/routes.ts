import { Type, type Static } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { HttpError } from '../../../http/errors.ts';
import type { RouteResponse } from '../../../http/routes/route.ts';
import { BADGE_STYLES, badgeSvg } from '../../../messages/badges/badge.ts';
import { readCurrentState } from '../../../queries/pages/current-state.ts';
import type { Route } from '../../route.ts';
import { pictureHeaders } from '../cache/caching.ts';
import { pictureLanguage } from '../display-settings.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { BADGE_METRICS, badgeContentOf, type BadgeMetric, type BadgeContent } from './metrics.ts';
import { BADGE } from './svg.ts';

const Query = Type.Object({
  metric: Type.Optional(Type.String()),
  style: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
});

/**
 * Returns a query parameter that must be one of the known values. The default is the first of them.
 *
 * @throws HttpError 400
 */
const known = <T extends string>(name: string, values: readonly [T, ...T[]], given: string | undefined): T => {
  const found = given === undefined ? values[0] : values.find((value) => value === given);
  if (found !== undefined) return found;
  throw new HttpError(400, `${name} must be one of ${values.join(', ')}`);
};

const badge = async (
  visit: PageVisit,
  { metric, style, label }: Static<typeof Query>,
  componentId: string | null,
): Promise<RouteResponse> => {
  const { page, sent } = visit;
  const shownMetric = known('metric', BADGE_METRICS, metric);
  const shownStyle = known('style', BADGE_STYLES, style);
  const shown = await cachedBadge(visit, shownMetric, componentId, pictureLanguage(sent, page));
  return {
    status: 200,
    headers: pictureHeaders(page),
    body: () => badgeSvg({ ...shown, label: label ?? shown.label, style: shownStyle }),
  };
};

/**
 * Returns the content of a badge. It is cached until the page changes, but for at most a minute, because badges may be
 * requested often.
 */
const cachedBadge = async (
  visit: PageVisit,
  metric: BadgeMetric,
  componentId: string | null,
  language: string,
): Promise<BadgeContent> => {
  const { scope, page, rendered, countedAs } = visit;
  const key = JSON.stringify(['badge', metric, componentId, language]);
  const make = async (): Promise<string> => {
    const state = await readCurrentState(scope, page);
    const component = state.shown.find(({ id }) => id === componentId) ?? null;
    if (componentId !== null && !component) throw new NotFound('Not found.');
    return JSON.stringify(await badgeContentOf(metric, { visit, state, component, language }));
  };
  const { body } = await rendered.of(page, key, make, countedAs);
  return JSON.parse(Buffer.from((await body(null)).bytes).toString()) as BadgeContent;
};

/** Badges for embedding in other sites (docs/reference/badges.md#badges). */
export const badgeRoutes: readonly Route[] = [
  pageRoute({
    path: '/badge.svg',
    summary: 'A badge of the page',
    produces: [BADGE],
    anyHeaders: true,
    query: Query,
    answer: (visit, { query }) => badge(visit, query, null),
  }),
  pageRoute({
    path: '/components/{component_id}/badge.svg',
    summary: 'A badge of a component',
    produces: [BADGE],
    anyHeaders: true,
    query: Query,
    answer: (visit, { params, query }) => badge(visit, query, params['component_id'] ?? ''),
  }),
];
