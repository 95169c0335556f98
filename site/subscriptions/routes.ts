import { Type } from '@sinclair/typebox';
import { unsubscribe, verifySubscriber } from '../../commands/pages/subscribers.ts';
import { CONFIRM, readSubject, UNSUBSCRIBE } from '../../domain/subscriber/links.ts';
import { HttpError } from '../../http/errors.ts';
import { ANY_BODY } from '../../http/media/body-types.ts';
import { html, JSON_TYPE, type MediaType } from '../../http/media/types.ts';
import type { Answer } from '../../http/routes/route.ts';
import { linkedSubscription, type LinkedSubscription } from '../../queries/pages/linked-subscriptions.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { NO_SCRIPTS } from '../policy.ts';
import { route, type Route } from '../route.ts';
import { problemPage, subscriptionPage, subscriptionSentence } from './pages.ts';
import { confirmStanding, unsubscribeStanding, type Standing } from './standing.ts';

const PAGE = html({ policy: NO_SCRIPTS, problem: problemPage });

/** Programs follow the link of a webhook too. */
const PRODUCED = [PAGE, JSON_TYPE] as const;

/** What a link is about. */
interface Linked extends LinkedSubscription {
  /** of the subscription that the link was made for */
  linked: number;
}

/** @throws HttpError 410 there is no subscription that the link belongs to any more */
const find = async ({ scope, subject }: { scope: Scope; subject: string | null }): Promise<Linked> => {
  const named = readSubject(subject ?? '');
  const found = named && (await linkedSubscription(scope, named.id));
  if (!found) throw new HttpError(410, 'The subscription has ended.');
  return { ...found, linked: named.number };
};

const ofLink = (purpose: string) => ({
  tag: 'Subscriptions',
  access: { public: { link: purpose } },
  find,
  produces: PRODUCED,
  // The token in the address is its receiver's secret.
  confidential: true,
});

/** The page or, for a program, the sentence that says how things stand. */
const said = (standing: Standing, found: Linked, type: MediaType): Answer => {
  const status = standing === 'earlier' || standing === 'expired' ? 410 : 200;
  const message = subscriptionSentence(standing);
  if (type === JSON_TYPE && status !== 200) throw new HttpError(status, message);
  return {
    status,
    headers: { 'X-Robots-Tag': 'noindex, nofollow' },
    body: () => (type === JSON_TYPE ? { message } : subscriptionPage(standing, found)),
  };
};

const Said = Type.Union([Type.String(), Type.Object({ message: Type.String() })]);

/**
 * The pages behind the links in messages. Following a link changes nothing, since mail scanners do that: only the
 * button does, or whatever else makes a POST request, such as the one click of RFC 8058, whose body says nothing that
 * the path does not say. There are no redirects, which RFC 8058 forbids.
 */
export const subscriptionRoutes: readonly Route[] = [
  route({
    ...ofLink(CONFIRM),
    methods: ['get'],
    path: '/subscriptions/confirm',
    summary: 'Ask whether a subscription is wanted',
    answers: { 200: Said },
    handle: ({ found, scope, type }) => said(confirmStanding(found.subscriber, found.linked, scope.now), found, type),
  }),
  route({
    ...ofLink(CONFIRM),
    methods: ['post'],
    path: '/subscriptions/confirm',
    summary: 'Confirm a subscription',
    accepts: [ANY_BODY],
    answers: { 200: Said },
    handle: async ({ found, scope, commands, context, type }) => {
      const standing = confirmStanding(found.subscriber, found.linked, scope.now);
      if (standing !== 'confirm') return said(standing, found, type);
      await commands.ask(verifySubscriber)(found.subscriber.id, found.linked, context);
      return said('confirmed', found, type);
    },
  }),
  route({
    ...ofLink(UNSUBSCRIBE),
    methods: ['get'],
    path: '/subscriptions/unsubscribe',
    summary: 'Ask whether a subscription is to end',
    answers: { 200: Said },
    handle: ({ found, type }) => said(unsubscribeStanding(found.subscriber, found.linked), found, type),
  }),
  route({
    ...ofLink(UNSUBSCRIBE),
    methods: ['post'],
    path: '/subscriptions/unsubscribe',
    summary: 'End a subscription, also by one click (RFC 8058)',
    accepts: [ANY_BODY],
    anyHeaders: true,
    answers: { 200: Said },
    handle: async ({ found, commands, context, type }) => {
      const standing = unsubscribeStanding(found.subscriber, found.linked);
      if (standing !== 'unsubscribe') return said(standing, found, type);
      await commands.ask(unsubscribe)(found.subscriber.id, found.linked, context);
      return said('unsubscribed', found, type);
    },
  }),
];
