import { html } from '../../http/media/media-types.ts';
import type { Directives } from '../../http/security-headers.ts';
import { route, type Route } from '../route.ts';

/**
 * The policy of page and e-mail previews in the console. They may have styles, also inline ones, as e-mails do. They
 * run no scripts, submit no forms, follow no links, and load nothing from other origins.
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

/** An empty document, into which the console inserts HTML to show it as visitors or subscribers will see it. */
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
