import { Type } from '@sinclair/typebox';
import { unsubscribe, verifySubscriber } from '../../commands/pages/subscribers.ts';
import { CONFIRM, managePath, UNSUBSCRIBE } from '../../domain/subscriber/links.ts';
import type { Mac } from '../../domain/signed-token.ts';
import { ANY_BODY } from '../../http/media/body-types.ts';
import { JSON_TYPE, type MediaType } from '../../http/media/media-types.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import { route, type Route } from '../route.ts';
import { ofLink, PAGE, linkStateResponse, type SubscriptionOfLink } from './subscription-link.ts';
import { manageRoutes } from './manage.ts';
import { confirmLinkState, unsubscribeLinkState, type LinkState } from './link-state.ts';

/** JSON is included, because programs also follow the links in webhook messages. */
const PRODUCED = [PAGE, JSON_TYPE] as const;

/**
 * Returns the page that shows the state of a link. If the subscription still exists, the page contains a link for
 * changing it.
 */
const linkStateResponseWithLink = async (
  standing: LinkState,
  { found, type, mac }: { found: SubscriptionOfLink; type: MediaType; mac: Mac },
): Promise<RouteResponse> => {
  const offers = standing === 'confirmed' || standing === 'unsubscribe';
  const manage = offers ? `..${await managePath(found.subscriber, mac)}` : null;
  return linkStateResponse(standing, found, type, manage);
};

const LinkStateHandler = Type.Union([Type.String(), Type.Object({ message: Type.String() })]);

/**
 * Routes of the pages to which links in messages lead. Opening a link changes nothing, because mail scanners also open
 * links. Only POST requests change something: the request of the button, and the one-click request of RFC 8058. The
 * body of a one-click request is ignored, because the URL contains all information. These routes never redirect,
 * because RFC 8058 forbids redirects.
 */
export const subscriptionRoutes: readonly Route[] = [
  route({
    ...ofLink(CONFIRM),
    produces: PRODUCED,
    methods: ['get'],
    path: '/subscriptions/confirm',
    summary: 'Ask for confirmation of a subscription',
    responses: { 200: LinkStateHandler },
    handle: (call) =>
      linkStateResponseWithLink(confirmLinkState(call.found.subscriber, call.found.linked, call.scope.now), call),
  }),
  route({
    ...ofLink(CONFIRM),
    produces: PRODUCED,
    methods: ['post'],
    path: '/subscriptions/confirm',
    summary: 'Confirm a subscription',
    accepts: [ANY_BODY],
    responses: { 200: LinkStateHandler },
    handle: async (call) => {
      const { found, scope, commands, context } = call;
      const standing = confirmLinkState(found.subscriber, found.linked, scope.now);
      if (standing !== 'confirm') return linkStateResponseWithLink(standing, call);
      await commands.bind(verifySubscriber)(found.subscriber.id, found.linked, context);
      return linkStateResponseWithLink('confirmed', call);
    },
  }),
  route({
    ...ofLink(UNSUBSCRIBE),
    produces: PRODUCED,
    methods: ['get'],
    path: '/subscriptions/unsubscribe',
    summary: 'Ask for confirmation of an unsubscription',
    responses: { 200: LinkStateHandler },
    handle: (call) => linkStateResponseWithLink(unsubscribeLinkState(call.found.subscriber, call.found.linked), call),
  }),
  route({
    ...ofLink(UNSUBSCRIBE),
    produces: PRODUCED,
    methods: ['post'],
    path: '/subscriptions/unsubscribe',
    summary: 'End a subscription, also with one click (RFC 8058)',
    accepts: [ANY_BODY],
    anyHeaders: true,
    responses: { 200: LinkStateHandler },
    handle: async ({ found, commands, context, type }) => {
      const standing = unsubscribeLinkState(found.subscriber, found.linked);
      if (standing !== 'unsubscribe') return linkStateResponse(standing, found, type, null);
      await commands.bind(unsubscribe)(found.subscriber.id, found.linked, context);
      return linkStateResponse('unsubscribed', found, type, null);
    },
  }),
  ...manageRoutes,
];
