import { Type } from '@sinclair/typebox';
import { deleteReport, requestReport } from '../../../commands/reports.ts';
import { Invalid } from '../../../domain/errors.ts';
import { REPORT_DEFAULTS } from '../../../domain/report/decide.ts';
import { reports } from '../../../projections/reports/projection.ts';
import { findReport, listReports, resolvePeriod } from '../../../queries/reports/reports.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pagesWithTotal } from '../../pagination.ts';
import { accepted, noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { presentReport } from './present.ts';
import { reportBodyErrors, maskedRecipientErrors } from './validation.ts';
import { NewReport, Report } from './schema.ts';

const tag = 'Reports';
const path = '/v1/reports';
const byId = `${path}/{report_id}`;
const ReportParams = Type.Object({ report_id: Id });
const list = pagesWithTotal({ key: 'reports', size: 20, newestBy: 'created_at' });

const findNamed = ({ params, scope }: { params: { report_id: string }; scope: Scope }) =>
  findReport(scope, params.report_id);

export const reportRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'List reports',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'reports.read' },
    confidential: true,
    query: Type.Object({ ...list.query }),
    responses: { 200: list.answer(Report) },
    heavy: true,
    handle: (call) =>
      ok(() =>
        list.body(
          call.query,
          (paging) => listReports(call.scope, {}, paging),
          (report) => presentReport(report, call),
        ),
      ),
  }),
  route({
    methods: ['post'],
    path,
    summary: 'Request a report',
    description: 'The report is generated in the background and sent to its recipients.',
    tag,
    access: { needs: 'reports.write' },
    confidential: true,
    body: NewReport,
    responses: { 202: Report },
    refuse: (_, body) => maskedRecipientErrors(body),
    alsoRefused: ({ scope, body }) => reportBodyErrors(scope, body),
    handle: async (call) => {
      const { body, context, commands, scope } = call;
      const { recipients, ...requested } = { ...REPORT_DEFAULTS, ...body };
      const found = await resolvePeriod(scope, requested);
      if ('errors' in found) throw new Invalid({ json: found.errors });
      const { name, report_type, format, check_ids, tag, page_id, schedule, time_zone, target_percentage } = requested;
      const content = { name, report_type, format, check_ids: [...check_ids], tag, page_id, ...found.period };
      const report = { ...content, schedule, time_zone, target_percentage };
      const id = await commands.bind(requestReport)(report, recipients, context);
      return accepted(`${path}/${id}`, id, async () => presentReport(await findReport(scope, id), call));
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get a report',
    tag,
    access: { needs: 'reports.read' },
    confidential: true,
    params: ReportParams,
    responses: { 200: Report },
    handle: (call) => ok(async () => presentReport(await findNamed(call), call)),
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete a report',
    description: 'Its file is deleted too, and its schedule ends.',
    tag,
    access: { needs: 'reports.write' },
    params: ReportParams,
    responses: { 204: null },
    waitsFor: [reports.name],
    find: findNamed,
    handle: async ({ params, context, commands }) => {
      await commands.bind(deleteReport)(params.report_id, context);
      return noContent();
    },
  }),
];
