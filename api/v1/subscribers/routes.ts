import { Type } from '@sinclair/typebox';
import { changeSubscriber, deleteSubscriber, rotateSecret } from '../../../commands/pages/subscribers.ts';
import { Invalid } from '../../../domain/errors.ts';
import { JSON_STREAM } from '../../../http/media/media-types.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import { subscribers } from '../../../projections/subscribers/projection.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { subscribersOnPage } from '../../../queries/pages/subscriber-lists.ts';
import {
  findSubscriber,
  narrowingProblems,
  pagesOfSubscribers,
  purgeTimes,
  SUBSCRIBERS_AT_ONCE,
  type SubscriberPlace,
} from '../../../queries/pages/subscribers.ts';
import { tenantOfOpenPage } from '../../../queries/organizations/tenants.ts';
import type { May } from '../../permissions.ts';
import { noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { findNamedPage, pageParams, PageParams } from '../pages/params.ts';
import { exportRoutes } from './export-routes.ts';
import { importRoutes } from './import/routes.ts';
import { filters, jsonArray, jsonListing, pages } from './list.ts';
import { presentSubscriber } from './present.ts';
import { searchSubscribers, searchText } from './search.ts';
import { NewSubscriber, Subscriber, SubscriberChange, SubscriberWithSecret } from './schema.ts';
import { brokenSignUp, PATH, signUp } from './sign-up.ts';
import { UNCHANGED } from '../../resource.ts';

const tag = 'Subscribers';
const byId = `${PATH}/{subscriber_id}`;
const SubscriberParams = Type.Object({ ...pageParams, subscriber_id: Id });

interface SubscriberCall {
  params: SubscriberPlace;
  scope: Scope;
}

const findNamed = ({ params, scope }: SubscriberCall) => findSubscriber(scope, params);

/** The subscriber after this request. */
const show = async ({ params, scope, may }: SubscriberCall & { may: May }): Promise<Subscriber> =>
  presentSubscriber(scope, await findSubscriber(scope, params), may('secrets.reveal'));

export const subscriberRoutes: Route[] = [
  route({
    methods: ['get'],
    path: PATH,
    summary: 'List subscribers',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'subscribers.read' },
    params: PageParams,
    query: Type.Object({ ...filters, q: searchText, ...pages.query }),
    produces: [JSON_STREAM],
    confidential: true,
    answers: { 200: pages.answer(Subscriber) },
    heavy: true,
    find: findNamedPage,
    handle: async (call) => {
      const { query, scope, found: page, may } = call;
      const reveals = may('secrets.reveal');
      const purgeAt = purgeTimes(scope);
      const present = (document: SubscriberDocument) => presentSubscriber(scope, document, reveals, purgeAt);
      const paging = pages.pagingOf(query);
      if (query.q !== undefined) {
        const text = await jsonListing(await searchSubscribers(call, query.q, paging), paging, present);
        return ok(() => text);
      }
      const list = paging
        ? await jsonListing(await subscribersOnPage(scope, page, query, paging), paging, present)
        : await jsonArray(pagesOfSubscribers(scope, page, query), SUBSCRIBERS_AT_ONCE, present);
      return ok(() => list);
    },
  }),
  ...exportRoutes,
  ...importRoutes,
  route({
    methods: ['post'],
    path: PATH,
    summary: 'Subscribe to a page',
    description: 'No key is needed if everybody may see the page and it takes this kind of subscription.',
    tag,
    access: { public: { tenant: tenantOfOpenPage, key: 'optional' } },
    params: PageParams,
    body: NewSubscriber,
    confidential: true,
    oneTime: ['secret'],
    answers: { 201: SubscriberWithSecret },
    find: findNamedPage,
    alsoRefused: ({ found: page, scope, body, may }) => brokenSignUp(scope, page, body, may('subscribers.write')),
    handle: signUp,
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get a subscriber',
    tag,
    access: { needs: 'subscribers.read' },
    params: SubscriberParams,
    confidential: true,
    answers: { 200: Subscriber },
    handle: (call) => ok(() => show(call)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change a subscriber',
    description: UNCHANGED,
    tag,
    access: { needs: 'subscribers.write' },
    params: SubscriberParams,
    body: SubscriberChange,
    confidential: true,
    answers: { 200: Subscriber },
    find: findNamed,
    handle: async (call) => {
      const { params, body, commands, context, scope, found } = call;
      const { component_ids: ids, deliver_notifications } = body;
      // Clients send whole objects back, so a request that repeats the quarantine does not end it.
      const keepsQuarantine = typeof body.quarantined_at === 'string';
      const component_ids = ids?.length === 0 ? null : ids && [...new Set(ids)];
      const page = await findPage(scope, params.page_id);
      const problems = await narrowingProblems(
        scope,
        page,
        { component_ids: component_ids ?? null },
        found.component_ids ?? [],
      );
      if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
      await commands.ask(changeSubscriber)(
        params.subscriber_id,
        { component_ids, deliver_notifications, keepsQuarantine },
        context,
      );
      return ok(() => show(call));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Remove a subscriber',
    description: 'Its address is erased.',
    tag,
    access: { needs: 'subscribers.write' },
    params: SubscriberParams,
    answers: { 204: null },
    waitsFor: [subscribers.name],
    find: findNamed,
    handle: async ({ params, commands, context }) => {
      await commands.ask(deleteSubscriber)(params.subscriber_id, context);
      return noContent();
    },
  }),
  route({
    methods: ['post'],
    path: `${byId}/rotate-secret`,
    summary: 'Rotate the secret of a webhook subscriber',
    description: 'For a day, messages are signed with both the old and the new secret.',
    tag,
    access: { needs: 'subscribers.write' },
    params: SubscriberParams,
    confidential: true,
    oneTime: ['secret'],
    answers: { 200: SubscriberWithSecret },
    find: findNamed,
    handle: async (call) => {
      const { params, commands, context } = call;
      const secret = await commands.ask(rotateSecret)(params.subscriber_id, context);
      return ok(async () => ({ ...(await show(call)), secret }));
    },
  }),
];
