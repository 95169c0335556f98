import { Type, type Static } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { HttpError } from '../../../http/errors.ts';
import type { Answer } from '../../../http/routes/route.ts';
import { BADGE_STYLES, badgeSvg } from '../../../messages/badges/badge.ts';
import { currentState } from '../../../queries/pages/current-state.ts';
import type { Route } from '../../route.ts';
import { pictureHeaders } from '../caching.ts';
import { pictureLanguage } from '../choices.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { BADGE_METRICS, shownOn } from './metrics.ts';
import { BADGE } from './svg.ts';

const Query = Type.Object({
  metric: Type.Optional(Type.String()),
  style: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
});

/** One of the known values, the first by default. @throws HttpError 400 */
const known = <T extends string>(name: string, values: readonly [T, ...T[]], given: string | undefined): T => {
  const found = given === undefined ? values[0] : values.find((value) => value === given);
  if (found !== undefined) return found;
  throw new HttpError(400, `${name} must be one of ${values.join(', ')}`);
};

const badge = async (
  visit: PageVisit,
  { metric, style, label }: Static<typeof Query>,
  componentId: string | null,
): Promise<Answer> => {
  const { scope, page, sent } = visit;
  const shownMetric = known('metric', BADGE_METRICS, metric);
  const shownStyle = known('style', BADGE_STYLES, style);
  const state = await currentState(scope, page);
  const component = state.shown.find(({ id }) => id === componentId) ?? null;
  if (componentId !== null && !component) throw new NotFound('Not found.');
  const language = pictureLanguage(sent, page);
  const shown = await shownOn(shownMetric, { visit, state, component, language });
  return {
    status: 200,
    headers: pictureHeaders(page),
    body: () => badgeSvg({ ...shown, label: label ?? shown.label, style: shownStyle }),
  };
};

/** Badges for other people's pages (docs/status-page/badges.md). */
export const badgeRoutes: readonly Route[] = [
  pageRoute({
    path: '/badge.svg',
    summary: 'A badge of the page',
    produces: [BADGE],
    anyHeaders: true,
    heavy: true,
    query: Query,
    answer: (visit, { query }) => badge(visit, query, null),
  }),
  pageRoute({
    path: '/components/{component_id}/badge.svg',
    summary: 'A badge of a component',
    produces: [BADGE],
    anyHeaders: true,
    heavy: true,
    query: Query,
    answer: (visit, { params, query }) => badge(visit, query, params['component_id'] ?? ''),
  }),
];
