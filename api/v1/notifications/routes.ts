import { Type } from '@sinclair/typebox';
import { NOTICE_EVENTS } from '../../../domain/mailing/notice-event.ts';
import { SUBSCRIBER_MODES } from '../../../domain/subscriber/events.ts';
import { listNotifications, NOTIFICATION_STATUSES } from '../../../queries/notifications.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, commaList, Id, InstantOut, namedSchema, nullable } from '../../schema.ts';
import { findPageInPath, PageParams } from '../pages/params.ts';

/** See docs/reference/subscribers.md#notification-log. */
const Notification = namedSchema(
  'Notification',
  Type.Object({
    id: Id,
    page_id: Id,
    subscriber_id: Id,
    mode: choice(SUBSCRIBER_MODES),
    recipient: Type.String({
      description: 'Masked. `[forgotten]` if the subscriber was deleted or purged.',
      examples: ['i***@example.com'],
    }),
    event: Type.String({ examples: [...NOTICE_EVENTS] }),
    incident_id: nullable(Id),
    incident_update_id: nullable(Id),
    status: choice(NOTIFICATION_STATUSES),
    retry_count: Type.Integer({ minimum: 0 }),
    response_code: nullable(Type.Integer({ description: 'HTTP status of the last attempt.' })),
    error_message: nullable(
      Type.String({ description: 'Why the last attempt failed, or why there are no further attempts.' }),
    ),
    created_at: InstantOut,
    sent_at: nullable(InstantOut),
  }),
);

const list = pagesOfStyleB({ key: 'notifications', size: 25, newestBy: 'created_at' });

export const notificationRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/pages/{page_id}/subscribers/notifications',
    summary: 'List subscriber notifications',
    description: 'The list contains the messages of the page to its subscribers, newest first.',
    tag: 'Subscribers',
    access: { needs: 'notifications.read' },
    confidential: true,
    params: PageParams,
    query: Type.Object({
      ...list.query,
      status: Type.Optional(commaList(choice(NOTIFICATION_STATUSES))),
      mode: Type.Optional(commaList(choice(SUBSCRIBER_MODES))),
      incident_id: Type.Optional(Id),
    }),
    responses: { 200: list.answer(Notification) },
    heavy: true,
    find: findPageInPath,
    handle: ({ query, scope, found: page }) =>
      ok(() => list.body(query, (paging) => listNotifications(scope, page, query, paging))),
  }),
];
