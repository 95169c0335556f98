import { Type } from '@sinclair/typebox';
import { TEXT_BODY } from '../../http/media/body-types.ts';
import { html } from '../../http/media/media-types.ts';
import { addressLimitKey } from '../../http/routes/caller.ts';
import { securityHeaders, type Directives } from '../../http/security-headers.ts';
import { requireOwnForm } from '../pages/access/same-site.ts';
import { route, type Route } from '../route.ts';

/**
 * The policy of rendered HTML in a frame of the console. It allows only styles and pictures. `sandbox` gives the
 * document an opaque origin without scripts and forms, even if somebody opens it outside the frame.
 */
const RENDERED_POLICY: Directives = {
  'default-src': ["'none'"],
  'style-src': ["'unsafe-inline'", 'data:'],
  'img-src': ['data:', 'https:'],
  'form-action': ["'none'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'self'"],
  sandbox: [],
};

const RENDERED = html({ policy: RENDERED_POLICY });
const FIELD = 'html=';

/**
 * Names and values of the security headers, alternately. `Origin-Agent-Cluster` is removed, because browsers warn about
 * it in documents with an opaque origin, such as sandboxed ones.
 */
const SECURITY = securityHeaders(RENDERED_POLICY).flatMap((text, at, all) =>
  at % 2 === 0 && text !== 'Origin-Agent-Cluster' ? [text, all[at + 1] ?? ''] : [],
);

/**
 * Returns HTML that the API has rendered, such as a preview, for a frame of the console. The console's own policy
 * forbids inline styles and markup from strings, and frames without a URL inherit that policy. So the console submits
 * the HTML in a form, and the response is the frame's content.
 */
export const renderedRoutes: readonly Route[] = [
  route({
    methods: ['post'],
    path: '/console/rendered',
    tag: 'Console',
    summary: 'Return the HTML that was sent, sandboxed for a frame of the console',
    access: { public: { tenant: null } },
    effect: 'read',
    unrepeatable: true,
    confidential: true,
    accepts: [TEXT_BODY],
    body: Type.String({ description: 'a form of type text/plain with one field, `html`' }),
    produces: [RENDERED],
    responses: { 200: Type.String() },
    handle: ({ body, sent, limits, clientAddress }) => {
      requireOwnForm(sent);
      limits.forms(addressLimitKey(clientAddress ?? undefined));
      const text = body.startsWith(FIELD) ? body.slice(FIELD.length) : body;
      return { status: 200, security: SECURITY, body: () => text };
    },
  }),
];
