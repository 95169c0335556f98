import { html } from '../../http/media/types.ts';
import type { Directives } from '../../http/security-headers.ts';
import { route, type Route } from '../route.ts';

/**
 * What a preview may do that the console shows of a page or an e-mail: have styles, also inline ones, as e-mails do. It
 * runs no script, sends no form, leads nowhere, and loads nothing of other origins.
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

/** An empty document, into which the console puts HTML that it shows as a visitor or a subscriber will see it. */
export const frameRoute: Route = route({
  methods: ['get'],
  path: '/console/frame',
  tag: 'Console',
  summary: 'The frame of previews in the console',
  access: { public: { tenant: null } },
  produces: [FRAME_HTML],
  answers: { 200: null },
  handle: () => ({
    status: 200,
    headers: { 'Cache-Control': 'no-cache' },
    body: () => '<!doctype html><title></title>',
  }),
});
