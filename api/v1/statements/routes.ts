import { Type } from '@sinclair/typebox';
import { MONTH_PATTERN, requireStatementMonth } from '../../../domain/statement/month.ts';
import { calendarOf } from '../../../domain/uptime/days.ts';
import { contentDisposition } from '../../../http/media/disposition.ts';
import { JSON_TYPE, PDF } from '../../../http/media/media-types.ts';
import { statementName } from '../../../messages/statement/json.ts';
import { components } from '../../../projections/components/projection.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { ok, route, type Route } from '../../route.ts';
import { findPageInPath, pageParams } from '../pages/params.ts';
import { createPositionTokens } from '../events/position-tokens.ts';
import { makeStatement } from './make.ts';
import { StatementSchema } from './schema.ts';

/** The projections whose events determine a statement. */
const READ = [pages.name, components.name];

export const statementRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/pages/{page_id}/statements/{month}',
    summary: 'Get the uptime statement of a month',
    description:
      'It contains the uptime of each component, and what is needed to prove it from the log with `uptrail statement verify`. The PDF has the JSON as an attachment. The running month is incomplete.',
    tag: 'Uptime',
    access: { needs: 'uptime.read' },
    params: Type.Object({
      ...pageParams,
      month: Type.String({
        pattern: MONTH_PATTERN,
        description: 'A month YYYY-MM that has begun.',
        examples: ['2026-10'],
      }),
    }),
    produces: [JSON_TYPE, PDF],
    responses: { 200: StatementSchema },
    errorStatuses: [400],
    heavy: true,
    find: async (call) => {
      const page = await findPageInPath(call);
      requireStatementMonth(call.params.month, calendarOf(page.time_zone), call.scope.now);
      return page;
    },
    handle: ({ params: { month }, scope, past, mac, signal, share, type, statementFile, found: page }) => {
      const { organizationId, now } = scope;
      const sources = { past, tokens: createPositionTokens(mac) };
      const statement = () =>
        share(READ, ['statement', page.id, month], signal, (waited) =>
          makeStatement(sources, { organizationId, pageId: page.id, month, now }, waited),
        );
      if (type !== PDF) return ok(statement);
      const name = `${statementName({ page, month })}.pdf`;
      return {
        status: 200,
        headers: { 'Content-Disposition': contentDisposition('inline', name) },
        body: async () => statementFile(await statement()),
      };
    },
  }),
];
