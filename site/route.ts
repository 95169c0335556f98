import type { CommandContext } from '../commands/engine/context.ts';
import type { Commands } from '../commands/index.ts';
import type { SubscriberMode } from '../domain/subscriber/events.ts';
import type { PublicAddressSettings } from '../domain/page/public-address.ts';
import type { Mac } from '../domain/signed-token.ts';
import { createRoute, type Route as RouteOf } from '../http/routes/route.ts';
import type { CardPictureOf } from '../messages/cards/card.ts';
import type { PastReads } from '../projections/past/past-reads.ts';
import type { Scope } from '../queries/engine/scope.ts';
import type { Reference } from './docs/reference.ts';
import type { FrontDoor } from './front/front-door.ts';
import type { VisitorLimits } from './visitor-limits.ts';
import type { RenderedPages } from './pages/cache/rendered-pages.ts';
import type { LiveStreams } from './pages/live/live-streams.ts';
import type { TagFigures } from './pages/tag-figures.ts';

/** The dependencies of routes for the browsers of visitors. None of these routes requires an API key. */
export interface Site {
  permission: never;
  given: {
    context: CommandContext;
    scope: Scope;
    /** verifies signed tokens */
    mac: Mac;
    /** the service's public URLs */
    places: PublicAddressSettings;
    cardPicture: CardPictureOf;
    /** modes in which messages are sent to subscribers */
    sentModes: ReadonlySet<SubscriberMode>;
    frontDoor: FrontDoor;
    reference: Reference;
    /** cache of rendered responses of status pages */
    rendered: RenderedPages;
    /** figures over all checks with a tag */
    tagFigures: TagFigures;
    /** event streams of changes to status pages */
    live: LiveStreams;
    limits: VisitorLimits;
    /** read models as of past moments */
    past: PastReads;
  };
  writing: { commands: Commands };
}

export type Route = RouteOf<Site>;

export const route = createRoute<Site>();
