import { commandContext } from '../commands/engine/context.ts';
import type { Commands } from '../commands/index.ts';
import type { Plans } from '../domain/organization/plans.ts';
import type { PublicAddressSettings } from '../domain/page/public-address.ts';
import type { Mac } from '../domain/signed-token.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from '../domain/subscriber/events.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import type { Endpoint } from '../http/app.ts';
import { endpointsOf, type SurfaceDependencies } from '../http/routes/endpoints.ts';
import type { CardPictureOf } from '../messages/cards/card.ts';
import type { PastReads } from '../projections/past/past-reads.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import { createVisitorLimits } from './visitor-limits.ts';
import type { Route, Site } from './route.ts';
import { assetRoutes } from './assets/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { openLibrary } from './docs/documents/library.ts';
import { createReference } from './docs/reference.ts';
import { docsRoutes } from './docs/routes.ts';
import type { DocsSource } from './docs/topics.ts';
import { createFrontDoor, type FrontDoorStyle } from './front/front-door.ts';
import { frontRoutes } from './front/routes.ts';
import { createRenderedPages } from './pages/cache/rendered-pages.ts';
import { pageClock } from './pages/changes/clock.ts';
import { createPageChanges } from './pages/changes/page-changes.ts';
import { createLiveStreams } from './pages/live/live-streams.ts';
import { pageRoutes } from './pages/routes.ts';
import { createTagFigures } from './pages/tag-figures.ts';
import { styleRoutes } from './styles/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { accountRoutes } from './users/routes.ts';

/** The routes of all pages of the site. */
const routes: readonly Route[] = [
  // One line per folder.
  ...assetRoutes,
  ...consoleRoutes,
  ...docsRoutes,
  ...frontRoutes,
  ...pageRoutes,
  ...styleRoutes,
  ...templateRoutes,
  ...subscriptionRoutes,
  ...accountRoutes,
];

export interface SiteDependencies extends Omit<SurfaceDependencies<Site>, 'createHandlerContext' | 'lacks'> {
  commands: Commands;
  /** the limits of organizations */
  plans: Plans;
  /** returns the earliest time from which results are shown */
  resultsFrom: () => Instant;
  /** read models in their state at a past moment */
  past: PastReads;
  /** reports when read models are written */
  statuses: Pick<Statuses, 'of' | 'onWritten'>;
  /** the service's public URLs */
  places: PublicAddressSettings;
  /** draws preview cards */
  cardPicture: CardPictureOf;
  /** source of the API documentation */
  docs: DocsSource;
  /** `FRONT_DOOR`; default: public pages are listed */
  frontDoor?: FrontDoorStyle;
  /** modes in which messages are sent to subscribers; default: all */
  sentModes?: ReadonlySet<SubscriberMode>;
}

/** Creates the endpoints of the site. */
export const siteEndpoints = (dependencies: SiteDependencies): Endpoint[] => {
  const { commands, readers, plans, resultsFrom, keys, statuses, places, cardPicture } = dependencies;
  const limits = createVisitorLimits(dependencies.clock);
  const mac: Mac = (kind, text) => keys.fingerprint(kind, text);
  const read = readers.for({ appended: new Map() });
  const changes = createPageChanges({ statuses, read, mac, clock: pageClock });
  const rendered = createRenderedPages(changes, pageClock);
  const tagFigures = createTagFigures(pageClock);
  const sentModes = dependencies.sentModes ?? new Set(SUBSCRIBER_MODES);
  const instant = (): Instant => instantOf(dependencies.clock());
  const live = createLiveStreams({ changes, read, clock: pageClock, instant });
  const frontDoor = createFrontDoor({
    style: dependencies.frontDoor ?? 'pages',
    positions: readers.positions,
    places,
  });
  const reference = createReference(dependencies.docs, openLibrary());
  const give: SurfaceDependencies<Site>['createHandlerContext'] = (asking) => {
    const { organizationId, now } = asking;
    const context = commandContext(asking);
    const scope = { read: readers.for(context), organizationId, now, resultsFrom, plans, keys };
    const shown = { places, cardPicture, sentModes, frontDoor, reference, past: dependencies.past };
    return { context, scope, mac, limits, commands, rendered, tagFigures, live, ...shown };
  };
  return endpointsOf(routes, { ...dependencies, createHandlerContext: give, lacks: () => null });
};
