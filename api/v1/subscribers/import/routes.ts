import { Type } from '@sinclair/typebox';
import { Invalid } from '../../../../domain/errors.ts';
import { CSV_BODY } from '../../../../http/media/body-types.ts';
import { csvRows } from '../../../../http/media/csv-rows.ts';
import { WHOLE_KEY } from '../../../../http/validation-messages.ts';
import { ok, route, type Route } from '../../../route.ts';
import { findPageInPath, PageParams } from '../../pages/params.ts';
import { SUBSCRIBERS_PATH } from '../sign-up.ts';
import { duplicateColumnError, createLineReader } from './columns.ts';
import { importSubscribers, type ImportLine } from './import.ts';
import { ImportBody, ImportResponse, MAX_LINES, type ImportResult } from './schema.ts';

/**
 * No further line is started after this time, in milliseconds. The request must end within 30 s, before its claim of
 * the `Idempotency-Key` expires.
 */
const TIME_FOR_LINES = 20_000;
const ANSWERED_WITHIN = 28_000;

const invalid = (sentence: string): Invalid => new Invalid({ json: { [WHOLE_KEY]: [sentence] } });

/** @throws Invalid, HttpError */
const linesOf = async (text: string, signal: AbortSignal): Promise<ImportLine[]> => {
  const lines: ImportLine[] = [];
  let reader: ReturnType<typeof createLineReader> = null;
  for await (const row of csvRows(text, signal)) {
    if (!reader) {
      reader = createLineReader(row);
      if (!reader) throw invalid('The first line must name the columns, such as mode,email.');
      if (reader.hasHeader) {
        const doubled = duplicateColumnError(row);
        if (doubled !== null) throw invalid(doubled);
        continue;
      }
    }
    if (lines.length === MAX_LINES) throw invalid(`Must have at most ${MAX_LINES.toLocaleString('en')} lines.`);
    lines.push({ line: row.line, read: reader.read(row) });
  }
  if (lines.length === 0) throw invalid('The file contains no subscribers.');
  return lines;
};

const counted = (results: readonly ImportResult[]): ImportResponse => {
  const of = (status: number): number => results.filter((one) => one.status === status).length;
  const [added, unchanged] = [of(201), of(200)];
  return { results: [...results], counts: { added, unchanged, refused: results.length - added - unchanged } };
};

export const importRoutes: Route[] = [
  route({
    methods: ['post'],
    path: `${SUBSCRIBERS_PATH}/import`,
    summary: 'Import subscribers from CSV',
    description: 'Sending the same file again changes nothing.',
    tag: 'Subscribers',
    access: { needs: 'subscribers.write' },
    params: PageParams,
    query: Type.Object({
      skip_confirmation_notification: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'If true, e-mail and SMS subscriptions need no confirmation, unless a line says otherwise, since their ' +
            'recipients have agreed elsewhere.',
        }),
      ),
    }),
    accepts: [CSV_BODY],
    body: ImportBody,
    confidential: true,
    secretBody: true,
    responses: { 200: ImportResponse },
    heavy: true,
    deadlineMs: ANSWERED_WITHIN,
    find: findPageInPath,
    handle: async (call) => {
      const { skip_confirmation_notification: skips = false } = call.query;
      const until = performance.now() + TIME_FOR_LINES;
      const lines = await linesOf(call.body, call.signal);
      const results = await importSubscribers(call, lines, { skips, hasTime: () => performance.now() < until });
      return ok(() => counted(results));
    },
  }),
];
