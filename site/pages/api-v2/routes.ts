import { NotFound } from '../../../domain/errors.ts';
import { JSON_STREAM } from '../../../http/media/media-types.ts';
import type { Route } from '../../route.ts';
import { pageRoute } from '../page-route.ts';
import { publicResponse } from '../public-response.ts';
import { FILES, fileText, type ApiFile } from './files.ts';
import { statusApiText } from './openapi.ts';
import { subscriberRoute } from './subscribers.ts';

/**
 * File name of an incident's file. The route declares `{incident_id}` without the extension, because a path parameter
 * is always a whole segment. So the value of the parameter includes `.json`.
 */
const NAMED_FILE = '{incident_id}.json';

const idIn = (file = ''): string => {
  if (!file.endsWith('.json')) throw new NotFound('There is no such file.');
  return file.slice(0, -'.json'.length);
};

const fileRoute = (file: ApiFile): Route =>
  pageRoute({
    path: `/api/v2/${file.path.replace(NAMED_FILE, '{incident_file}')}`,
    summary: file.summary,
    produces: [JSON_STREAM],
    anyHeaders: true,
    crossOrigin: true,
    answer: async (visit, { params }) => {
      const id = file.path.includes(NAMED_FILE) ? idIn(params['incident_file']) : '';
      return publicResponse(visit, `${file.path} ${id}`, async () => ({ text: await fileText(file, visit, id) }));
    },
  });

let document: string | null = null;

/** Statuspage's public API (docs/reference/status-api.md#files), so that clients of Statuspage can read our pages. */
export const apiV2Routes: readonly Route[] = [
  ...FILES.map(fileRoute),
  subscriberRoute,
  pageRoute({
    path: '/api/v2/openapi.json',
    summary: 'The OpenAPI document of these files',
    produces: [JSON_STREAM],
    anyHeaders: true,
    crossOrigin: true,
    answer: (visit) => publicResponse(visit, 'openapi.json', () => ({ text: (document ??= statusApiText()) })),
  }),
];
