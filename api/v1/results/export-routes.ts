import { Type } from '@sinclair/typebox';
import { unescapedText } from '../../../domain/sealed.ts';
import { joinChunks } from '../../../http/streamed-json.ts';
import { contentDisposition } from '../../../http/media/disposition.ts';
import { CSV, JSON_LINES } from '../../../http/media/media-types.ts';
import { CSV_MARK, csvLine } from '../../../messages/csv.ts';
import { exportResults } from '../../../queries/check-results/export-results.ts';
import type { JoinedResult } from '../../../queries/check-results/results.ts';
import { requireDateOrder } from '../../time-order.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice } from '../../schema.ts';
import { CheckParams, findCheckInPath } from '../checks/params.ts';
import type { CheckResult } from '../checks/schema.ts';
import { resultFilters } from './filters.ts';
import { createFileLinks, presentResult } from './present.ts';

/** Columns of the CSV file. What a check type measured is one column of JSON, because each type measures other things. */
const COLUMNS = [
  'id',
  'check_id',
  'created_at',
  'status',
  'response_time',
  'error_message',
  'region',
  'check_server_id',
  'suspect',
  'result_type',
  'execution_id',
  'execution_group_id',
  'check_metadata',
] as const;

type Shown = CheckResult & { region: string };

const csvOf = (result: Shown): string =>
  csvLine(
    COLUMNS.map((column) => {
      if (column === 'check_metadata') return unescapedText(result.check_metadata);
      const value = result[column];
      return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
    }),
  );

const FORMATS = {
  jsonl: {
    type: JSON_LINES,
    beginning: '',
    line: (result: Shown): string => `${unescapedText(result)}\n`,
  },
  csv: { type: CSV, beginning: `${CSV_MARK}${csvLine(COLUMNS)}`, line: csvOf },
};

export const resultExportRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/{check_id}/results/export',
    summary: 'Export results of a check',
    description: 'The file contains all results of the period, oldest first, as JSON lines or CSV.',
    tag: 'Checks',
    access: { needs: 'results.read' },
    confidential: true,
    produces: [JSON_LINES, CSV],
    params: CheckParams,
    query: Type.Object({
      format: Type.Optional(choice(['jsonl', 'csv'], { description: 'Default: what `Accept` prefers.' })),
      ...resultFilters,
    }),
    responses: { 200: Type.String() },
    heavy: true,
    requireQuery: requireDateOrder,
    find: findCheckInPath,
    handle: async (call) => {
      const { query, scope, found: check, type: preferred } = call;
      const { format = preferred.name === CSV.name ? 'csv' : 'jsonl', ...filters } = query;
      const { type, beginning, line } = FORMATS[format];
      const linkTo = createFileLinks(call);
      const pages = exportResults(scope, check, filters, { reveal: call.may('secrets.reveal') });
      const linesOf = (page: readonly JoinedResult[]): Promise<string[]> =>
        Promise.all(page.map(async (one) => line({ ...(await presentResult(one, linkTo)), region: one.region })));
      // Read the first page before the response starts, so that an unavailable read model yields an error response
      // instead of a truncated file.
      const first = await pages.next();
      const lines = async function* (): AsyncGenerator<string> {
        yield beginning;
        for (let page = first; page.done !== true; page = await pages.next()) yield* await linesOf(page.value);
      };
      const file = (): AsyncIterable<string> => joinChunks(lines());
      const name = `results-${check.id}.${format}`;
      return { ...ok(() => file), type, headers: { 'Content-Disposition': contentDisposition('attachment', name) } };
    },
  }),
];
