import { Type, type Static } from '@sinclair/typebox';
import { audit } from '../../../projections/audit/projection.ts';
import type { AuditDocument } from '../../../projections/audit/documents.ts';
import type { Sealed } from '../../../domain/sealed.ts';
import type { Where } from '../../../stores/read-store/port.ts';
import { openText, type Keys } from '../../../stores/keys/port.ts';
import { CLIENT_ADDRESS, USER_AGENT } from '../../client.ts';
import { openChanges } from '../../open-sealed.ts';
import { listing } from '../../../queries/listing.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, InstantOut, instantIn, named, nullable, text } from '../../schema.ts';
import { datesInOrder } from '../../../queries/result-filters.ts';

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

const selected = (organization_id: string, asked: Static<typeof query>): Where => {
  const { action, resource_type, resource_id, actor_id, start_date, end_date } = asked;
  return {
    organization_id,
    ...(action !== undefined && { action }),
    ...(resource_type !== undefined && { resource_type }),
    ...(resource_id !== undefined && { resource_id }),
    ...(actor_id !== undefined && { actor_id }),
    ...((start_date ?? end_date) !== undefined && {
      created_at: {
        ...(start_date !== undefined && { $gte: start_date }),
        ...(end_date !== undefined && { $lte: end_date }),
      },
    }),
  };
};

const present =
  (keys: Keys) =>
  async ({ client_address, actor_email, user_agent, changes, created_at, ...entry }: AuditDocument) => {
    const { organization_id: organizationId, resource_type } = entry;
    const open = (sealed: Sealed | null, field: string): Promise<string | null> | null =>
      sealed && openText(sealed, { organizationId, field }, keys);
    return {
      ...entry,
      actor_email: await open(actor_email, 'actor_email'),
      changes: await openChanges({ organizationId, resource_type, changes }, keys),
      ip_address: await open(client_address, CLIENT_ADDRESS),
      user_agent: await open(user_agent, USER_AGENT),
      created_at,
    };
  };

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
    handle: ({ query: asked, context, read, keys }) =>
      ok(() =>
        list.body(
          asked,
          (paging) =>
            listing(
              read(audit).audit_logs,
              { where: selected(context.organizationId, asked), sort: { created_at: -1 } },
              paging,
            ),
          present(keys),
        ),
      ),
  }),
];
