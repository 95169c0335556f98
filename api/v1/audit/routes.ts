import { Type } from '@sinclair/typebox';
import { CSV, JSON_LINES, JSON_TYPE } from '../../../http/media/media-types.ts';
import { exportAudit, listAudit } from '../../../queries/audit.ts';
import { requireDateOrder } from '../../time-order.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, commaList, InstantOut, instantIn, namedSchema, nullable, text } from '../../schema.ts';
import { exportFile, EXPORT_FORMATS } from './export.ts';

/** See docs/reference/audit.md#entry-fields. */
const AuditLog = namedSchema(
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

const list = pagesOfStyleB({ key: 'audit_logs', size: 50, newestBy: 'created_at' });

const filter = Type.Optional(text(200));
const words = Type.Optional(commaList(text(200)));

const query = Type.Object({
  ...list.query,
  action: words,
  resource_type: words,
  resource_id: filter,
  actor_id: filter,
  start_date: Type.Optional(instantIn()),
  end_date: Type.Optional(instantIn({ end: true })),
  format: Type.Optional(
    choice(['json', 'csv', 'jsonl'], {
      description: '`csv` and `jsonl` return the whole list as a file, without pages. Default: what `Accept` prefers.',
    }),
  ),
});

const FORMAT_OF_TYPE = new Map<string, keyof typeof EXPORT_FORMATS>([
  [CSV.name, 'csv'],
  [JSON_LINES.name, 'jsonl'],
]);

export const auditRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/audit',
    summary: 'List audit log entries',
    description: 'The list is sorted newest first.',
    tag: 'Audit',
    access: { needs: 'audit.read' },
    confidential: true,
    produces: [JSON_TYPE, CSV, JSON_LINES],
    query,
    responses: { 200: list.answer(AuditLog) },
    heavy: true,
    requireQuery: requireDateOrder,
    handle: ({ query: filters, scope, type }) => {
      const { format = FORMAT_OF_TYPE.get(type.name) ?? 'json' } = filters;
      if (format !== 'json') return exportFile(EXPORT_FORMATS[format], exportAudit(scope, filters));
      return { ...ok(() => list.body(filters, (paging) => listAudit(scope, filters, paging))), type: JSON_TYPE };
    },
  }),
];
