import { Type } from '@sinclair/typebox';
import { unsubscribe, verifySubscriber } from '../../commands/pages/subscribers.ts';
import { CONFIRM, managePath, UNSUBSCRIBE } from '../../domain/subscriber/links.ts';
import type { Mac } from '../../domain/signed-token.ts';
import { ANY_BODY } from '../../http/media/body-types.ts';
import { JSON_TYPE, type MediaType } from '../../http/media/media-types.ts';
import type { Answer } from '../../http/routes/route.ts';
import { route, type Route } from '../route.ts';
import { ofLink, PAGE, said, type Linked } from './subscription-link.ts';
import { manageRoutes } from './manage.ts';
import { confirmStanding, unsubscribeStanding, type Standing } from './link-state.ts';

/** Programs also follow the link of a webhook. */
const PRODUCED = [PAGE, JSON_TYPE] as const;

/** The result page, with a link for changing the subscription if it exists. */
const saidWithLink = async (
  standing: Standing,
  { found, type, mac }: { found: Linked; type: MediaType; mac: Mac },
): Promise<Answer> => {
  const offers = standing === 'confirmed' || standing === 'unsubscribe';
  const manage = offers ? `..${await managePath(found.subscriber, mac)}` : null;
  return said(standing, found, type, manage);
};

const Said = Type.Union([Type.String(), Type.Object({ message: Type.String() })]);

/**
 * The pages behind the links in messages. Following a link changes nothing, since mail scanners follow links. Only the
 * button changes something, or another POST request, such as the one-click request of RFC 8058, whose body adds nothing
 * to the path. There are no redirects, which RFC 8058 forbids.
 */
export const subscriptionRoutes: readonly Route[] = [
  route({
    ...ofLink(CONFIRM),
    produces: PRODUCED,
    methods: ['get'],
    path: '/subscriptions/confirm',
    summary: 'Ask for confirmation of a subscription',
    answers: { 200: Said },
    handle: (call) => saidWithLink(confirmStanding(call.found.subscriber, call.found.linked, call.scope.now), call),
  }),
  route({
    ...ofLink(CONFIRM),
    produces: PRODUCED,
    methods: ['post'],
    path: '/subscriptions/confirm',
    summary: 'Confirm a subscription',
    accepts: [ANY_BODY],
    answers: { 200: Said },
    handle: async (call) => {
      const { found, scope, commands, context } = call;
      const standing = confirmStanding(found.subscriber, found.linked, scope.now);
      if (standing !== 'confirm') return saidWithLink(standing, call);
      await commands.ask(verifySubscriber)(found.subscriber.id, found.linked, context);
      return saidWithLink('confirmed', call);
    },
  }),
  route({
    ...ofLink(UNSUBSCRIBE),
    produces: PRODUCED,
    methods: ['get'],
    path: '/subscriptions/unsubscribe',
    summary: 'Ask for confirmation of an unsubscription',
    answers: { 200: Said },
    handle: (call) => saidWithLink(unsubscribeStanding(call.found.subscriber, call.found.linked), call),
  }),
  route({
    ...ofLink(UNSUBSCRIBE),
    produces: PRODUCED,
    methods: ['post'],
    path: '/subscriptions/unsubscribe',
    summary: 'End a subscription, also with one click (RFC 8058)',
    accepts: [ANY_BODY],
    anyHeaders: true,
    answers: { 200: Said },
    handle: async ({ found, commands, context, type }) => {
      const standing = unsubscribeStanding(found.subscriber, found.linked);
      if (standing !== 'unsubscribe') return said(standing, found, type, null);
      await commands.ask(unsubscribe)(found.subscriber.id, found.linked, context);
      return said('unsubscribed', found, type, null);
    },
  }),
  ...manageRoutes,
];
