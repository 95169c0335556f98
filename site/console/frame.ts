import { html } from '../../http/media/media-types.ts';
import type { Directives } from '../../http/security-headers.ts';
import { route, type Route } from '../route.ts';

/**
 * The policy of the frame in which the console shows previews of pages and e-mails. It allows stylesheets and inline
 * styles, which e-mails use. It allows no scripts, forms or links, and nothing from other origins.
 */
const FRAME_POLICY: Directives = {
  'default-src': ["'none'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'form-action': ["'none'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'self'"],
  sandbox: ['allow-same-origin'],
};

const FRAME_HTML = html({ policy: FRAME_POLICY });

/**
 * Returns an empty document. The console inserts the HTML of a preview into this document, so that the HTML looks the
 * same as for visitors or subscribers.
 */
export const frameRoute: Route = route({
  methods: ['get'],
  path: '/console/frame',
  tag: 'Console',
  summary: 'The frame of previews in the console',
  access: { public: { tenant: null } },
  produces: [FRAME_HTML],
  responses: { 200: null },
  handle: () => ({
    status: 200,
    headers: { 'Cache-Control': 'no-cache' },
    body: () => '<!doctype html><title></title>',
  }),
});
