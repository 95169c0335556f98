import { Type } from '@sinclair/typebox';
import { changeSubscriber, deleteSubscriber, rotateSecret } from '../../../commands/pages/subscribers.ts';
import { Invalid } from '../../../domain/errors.ts';
import { JSON_STREAM } from '../../../http/media/media-types.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import { subscribers } from '../../../projections/subscribers/projection.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { listSubscribers } from '../../../queries/pages/subscriber-lists.ts';
import {
  findSubscriber,
  scopeProblems,
  readSubscribersInPages,
  createPurgeTimes,
  SUBSCRIBER_BATCH_SIZE,
  type SubscriberIds,
} from '../../../queries/pages/subscribers.ts';
import { tenantOfOpenPage } from '../../../queries/organizations/tenants.ts';
import type { May } from '../../permissions.ts';
import { noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { findPageInPath, pageParams, PageParams } from '../pages/params.ts';
import { exportRoutes } from './export-routes.ts';
import { importRoutes } from './import/routes.ts';
import { subscriberFilters, encodeSubscribers, encodeListing, subscriberPages } from './list.ts';
import { presentSubscriber } from './present.ts';
import { searchSubscribers, searchText } from './search.ts';
import { NewSubscriber, Subscriber, SubscriberChange, SubscriberWithSecret } from './schema.ts';
import { signUpBodyErrors, SUBSCRIBERS_PATH, signUp } from './sign-up.ts';
import { ABSENT_FIELDS_UNCHANGED } from '../../resource.ts';

const tag = 'Subscribers';
const byId = `${SUBSCRIBERS_PATH}/{subscriber_id}`;
const SubscriberParams = Type.Object({ ...pageParams, subscriber_id: Id });

interface SubscriberCall {
  params: SubscriberIds;
  scope: Scope;
}

const findNamed = ({ params, scope }: SubscriberCall) => findSubscriber(scope, params);

/** Loads the subscriber in its state after the request. */
const show = async ({ params, scope, may }: SubscriberCall & { may: May }): Promise<Subscriber> =>
  presentSubscriber(scope, await findSubscriber(scope, params), may('secrets.reveal'));

export const subscriberRoutes: Route[] = [
  route({
    methods: ['get'],
    path: SUBSCRIBERS_PATH,
    summary: 'List subscribers',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'subscribers.read' },
    params: PageParams,
    query: Type.Object({ ...subscriberFilters, q: searchText, ...subscriberPages.query }),
    produces: [JSON_STREAM],
    confidential: true,
    responses: { 200: subscriberPages.answer(Subscriber) },
    heavy: true,
    find: findPageInPath,
    handle: async (call) => {
      const { query, scope, found: page, may } = call;
      const reveals = may('secrets.reveal');
      const purgeAt = createPurgeTimes(scope);
      const present = (document: SubscriberDocument) => presentSubscriber(scope, document, reveals, purgeAt);
      const paging = subscriberPages.pagingOf(query);
      if (query.q !== undefined) {
        const text = await encodeListing(await searchSubscribers(call, query.q, paging), paging, present);
        return ok(() => text);
      }
      const list = paging
        ? await encodeListing(await listSubscribers(scope, page, query, paging), paging, present)
        : await encodeSubscribers(readSubscribersInPages(scope, page, query), SUBSCRIBER_BATCH_SIZE, present);
      return ok(() => list);
    },
  }),
  ...exportRoutes,
  ...importRoutes,
  route({
    methods: ['post'],
    path: SUBSCRIBERS_PATH,
    summary: 'Subscribe to a page',
    description: 'No key is needed if everybody may see the page and it takes this kind of subscription.',
    tag,
    access: { public: { tenant: tenantOfOpenPage, key: 'optional' } },
    params: PageParams,
    body: NewSubscriber,
    confidential: true,
    oneTime: ['secret'],
    responses: { 201: SubscriberWithSecret },
    find: findPageInPath,
    alsoRefused: ({ found: page, scope, body, may }) => signUpBodyErrors(scope, page, body, may('subscribers.write')),
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
    responses: { 200: Subscriber },
    handle: (call) => ok(() => show(call)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change a subscriber',
    description: ABSENT_FIELDS_UNCHANGED,
    tag,
    access: { needs: 'subscribers.write' },
    params: SubscriberParams,
    body: SubscriberChange,
    confidential: true,
    responses: { 200: Subscriber },
    find: findNamed,
    handle: async (call) => {
      const { params, body, commands, context, scope, found } = call;
      const { component_ids: ids, deliver_notifications } = body;
      // Clients send back whole objects, so a request that repeats `quarantined_at` does not end the quarantine.
      const keepsQuarantine = typeof body.quarantined_at === 'string';
      const component_ids = ids?.length === 0 ? null : ids && [...new Set(ids)];
      const page = await findPage(scope, params.page_id);
      const problems = await scopeProblems(
        scope,
        page,
        { component_ids: component_ids ?? null },
        found.component_ids ?? [],
      );
      if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
      await commands.bind(changeSubscriber)(
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
    responses: { 204: null },
    waitsFor: [subscribers.name],
    find: findNamed,
    handle: async ({ params, commands, context }) => {
      await commands.bind(deleteSubscriber)(params.subscriber_id, context);
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
    responses: { 200: SubscriberWithSecret },
    find: findNamed,
    handle: async (call) => {
      const { params, commands, context } = call;
      const secret = await commands.bind(rotateSecret)(params.subscriber_id, context);
      return ok(async () => ({ ...(await show(call)), secret }));
    },
  }),
];
