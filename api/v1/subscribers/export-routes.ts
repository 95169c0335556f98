import { Type } from '@sinclair/typebox';
import { commandContext } from '../../../commands/engine/context.ts';
import { recordSubscribersExported } from '../../../commands/pages/pages.ts';
import { joinChunks } from '../../../http/streamed-json.ts';
import { contentDisposition } from '../../../http/media/disposition.ts';
import { CSV } from '../../../http/media/media-types.ts';
import { CSV_MARK, csvLine } from '../../../messages/csv.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { readSubscribersInPages } from '../../../queries/pages/subscribers.ts';
import { ok, route, type Route } from '../../route.ts';
import { findPageInPath, PageParams } from '../pages/params.ts';
import { subscriberFilters } from './list.ts';
import { openAddress } from './present.ts';
import { SUBSCRIBERS_PATH } from './sign-up.ts';

/** Columns of the file. Imports ignore the final five columns (import/columns.ts). */
const COLUMNS = [
  'mode',
  'email',
  'phone_number',
  'phone_country',
  'endpoint',
  'component_ids',
  'incident_id',
  'deliver_notifications',
  'status',
  'id',
  'created_at',
  'updated_at',
  'verified_at',
  'quarantined_at',
] as const;

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

/** Converts a subscriber to a line of the file, with the unmasked address. */
const lineOf = async (scope: Pick<Scope, 'keys'>, document: SubscriberDocument): Promise<string> => {
  const { mode, text, contact_email, phone_country } = await openAddress(scope, document);
  const { incident_id, status, id, created_at, updated_at, verified_at, quarantined_at } = document;
  const line: Record<(typeof COLUMNS)[number], string | null> = {
    mode,
    email: mode === 'email' ? text : contact_email,
    phone_number: mode === 'sms' ? text : null,
    phone_country,
    endpoint: mode === 'webhook' ? text : null,
    component_ids: document.component_ids && document.component_ids.join(' '),
    incident_id,
    deliver_notifications: yesOrNo(document.deliver_notifications),
    status,
    id,
    created_at,
    updated_at,
    verified_at,
    quarantined_at,
  };
  return csvLine(COLUMNS.map((column) => line[column]));
};

type Page = readonly SubscriberDocument[];

/** Number of lines that are decrypted together, with one request to a remote key store. */
const AT_ONCE = 100;

const linesOf = async function* (
  scope: Pick<Scope, 'keys'>,
  first: Page,
  others: AsyncIterable<Page>,
): AsyncGenerator<string> {
  yield `${CSV_MARK}${csvLine(COLUMNS)}`;
  yield* linesOfPage(scope, first);
  for await (const page of others) yield* linesOfPage(scope, page);
};

const linesOfPage = async function* (scope: Pick<Scope, 'keys'>, page: Page): AsyncGenerator<string> {
  for (let from = 0; from < page.length; from += AT_ONCE) {
    yield* await Promise.all(page.slice(from, from + AT_ONCE).map((document) => lineOf(scope, document)));
  }
};

export const exportRoutes: Route[] = [
  route({
    methods: ['get'],
    path: `${SUBSCRIBERS_PATH}/export`,
    summary: 'Export subscribers as CSV',
    description: 'The file contains unmasked addresses. The export is recorded in the audit log.',
    tag: 'Subscribers',
    access: { needs: 'subscribers.export' },
    confidential: true,
    produces: [CSV],
    params: PageParams,
    query: Type.Object(subscriberFilters),
    responses: { 200: Type.String() },
    heavy: true,
    find: findPageInPath,
    handle: async ({ query, scope, found: page, context, commands, sealedFor }) => {
      // A separate `appended` prevents the response from waiting for the event that records this export. No read model
      // that the response uses depends on this event.
      const noting = commandContext({ ...context, ...(await sealedFor(context)), appended: new Map() });
      await commands.bind(recordSubscribersExported)(page.id, query, noting);
      const pages = readSubscribersInPages(scope, page, query);
      // Read the first page before the response starts, so that an unavailable read model yields an error response
      // instead of a truncated file.
      const first = await pages.next();
      const beginning = first.done === true ? [] : first.value;
      const file = (): AsyncIterable<string> => joinChunks(linesOf(scope, beginning, pages));
      const headers = { 'Content-Disposition': contentDisposition('attachment', 'subscribers.csv') };
      return { ...ok(() => file), headers };
    },
  }),
];
