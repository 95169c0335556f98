import { Type } from '@sinclair/typebox';
import { listAudit } from '../../../queries/audit.ts';
import { datesInOrder } from '../../date-order.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, InstantOut, instantIn, named, nullable, text } from '../../schema.ts';

/** spec.md: Endpoints named without a shape; decisions.md: Audit. */
const AuditLog = named(
  'AuditLog',
  Type.Object({
    id: Type.String(),
    organization_id: Type.String(),
    actor_type: choice(['user', 'api_key', 'system']),
    actor_id: Type.String(),
    actor_email: nullable(Type.String()),
    action: Type.String({ examples: ['check.updated'] }),
    resource_type: Type.String(),
    resource_id: Type.String(),
    resource_name: nullable(Type.String()),
    changes: Type.Record(Type.String(), Type.Object({ old: Type.Unknown(), new: Type.Unknown() })),
    ip_address: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    created_at: InstantOut,
  }),
);

const list = pagesOfStyleB({ key: 'audit_logs', size: 50 });

const filter = Type.Optional(text(200));

const query = Type.Object({
  ...list.query,
  action: filter,
  resource_type: filter,
  resource_id: filter,
  actor_id: filter,
  start_date: Type.Optional(instantIn()),
  end_date: Type.Optional(instantIn({ end: true })),
});

export const auditRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/audit',
    summary: 'Who did what, newest first',
    tag: 'Audit',
    access: { needs: 'audit.read' },
    confidential: true,
    query,
    answers: { 200: list.answer(AuditLog) },
    requireQuery: datesInOrder,
    handle: ({ query: asked, scope }) => ok(() => list.body(asked, (paging) => listAudit(scope, asked, paging))),
  }),
];
