import { NotFound } from '../../domain/errors.ts';
import { html, JSON_TYPE, TEXT } from '../../http/media/types.ts';
import type { Route } from '../route.ts';
import { pageRoute } from './page-route.ts';

/** Everything below the root of a page that is no path of it: 404 in the frame of the page. */
export const unknownPathRoutes: readonly Route[] = [
  pageRoute({
    path: '/{...rest}',
    summary: 'Nothing: an unknown path of a status page',
    // Programs that take anything get text.
    produces: [TEXT, html(), JSON_TYPE],
    anyHeaders: true,
    answer: () => {
      throw new NotFound('Not found.');
    },
  }),
];
