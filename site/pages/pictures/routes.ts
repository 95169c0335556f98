import { mediaType, PNG } from '../../../http/media/media-types.ts';
import type { RouteResponse } from '../../../http/routes/route.ts';
import type { Card } from '../../../messages/cards/card.ts';
import { readCurrentState } from '../../../queries/pages/current-state.ts';
import { findIncident } from '../../../queries/pages/incidents.ts';
import { svgText } from '../../../views/document.tsx';
import { Favicon } from '../../../views/pictures/favicon.tsx';
import type { Route } from '../../route.ts';
import { cachedPage } from '../cache/cached-page.ts';
import { pictureHeaders } from '../cache/caching.ts';
import { pictureLanguage } from '../display-settings.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { incidentCard, pageCard } from './card-content.ts';

const SVG = mediaType('image/svg+xml', { parameter: 'charset=utf-8', embeddable: true });
/**
 * The media type of cards. Other sites can embed cards, because programs that preview links show the cards on pages of
 * their own.
 */
const CARD_PNG = mediaType(PNG.name, { embeddable: true });

const pictureOf = async (visit: PageVisit, name: string, card: Card): Promise<RouteResponse> => {
  const { page, cardPicture } = visit;
  const { png, isCurrent } = await cardPicture({ pageId: page.id, name }, card);
  const headers = pictureHeaders(page);
  // If the picture is only a substitute, caches must revalidate it, so that they soon get the current card.
  return { status: 200, headers: isCurrent ? headers : { ...headers, 'Cache-Control': 'no-cache' }, body: () => png };
};

/**
 * Routes of the pictures of a page: cards that other sites show next to links (Open Graph), and the icon for browser
 * tabs.
 */
export const pictureRoutes: readonly Route[] = [
  pageRoute({
    path: '/card.png',
    summary: 'The preview card of the page, shown next to links to it',
    produces: [CARD_PNG],
    anyHeaders: true,
    answer: async (visit) => {
      const { scope, page, sent } = visit;
      const language = pictureLanguage(sent, page);
      return pictureOf(visit, `page ${language}`, pageCard(visit, await readCurrentState(scope, page), language));
    },
  }),
  pageRoute({
    path: '/incidents/{incident_id}/card.png',
    summary: 'The preview card of an incident, shown next to links to it',
    produces: [CARD_PNG],
    anyHeaders: true,
    answer: async (visit, { params }) => {
      const { scope, page, sent } = visit;
      const language = pictureLanguage(sent, page);
      const incident = await findIncident(scope, { page_id: page.id, incident_id: params['incident_id'] ?? '' });
      return pictureOf(visit, `${incident.id} ${language}`, incidentCard(visit, incident, language));
    },
  }),
  pageRoute({
    path: '/favicon.svg',
    summary: "The page's icon, which shows its status",
    produces: [SVG],
    anyHeaders: true,
    answer: (visit) => {
      const { scope, page } = visit;
      return cachedPage(visit, {
        key: 'favicon',
        headers: { ...pictureHeaders(page), Vary: 'Accept-Encoding' },
        make: async () => svgText(Favicon({ state: (await readCurrentState(scope, page)).status })),
      });
    },
  }),
];
