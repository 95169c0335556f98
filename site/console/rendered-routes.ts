import { Type } from '@sinclair/typebox';
import { TEXT_BODY } from '../../http/media/body-types.ts';
import { html } from '../../http/media/types.ts';
import { addressCountedAs } from '../../http/routes/caller.ts';
import { securityHeaders, type Directives } from '../../http/security-headers.ts';
import { requireOwnForm } from '../pages/access/same-site.ts';
import { route, type Route } from '../route.ts';

/**
 * What a rendered text may do: nothing but be seen, with its own styles and pictures, in a frame of the console. `sandbox`
 * gives it an origin of its own, without scripts and forms, also where it is opened by itself.
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

/** Names and values alternate. Agent clusters are by origin, and a sandbox has none of its own: browsers complain. */
const SECURITY = securityHeaders(RENDERED_POLICY).flatMap((text, at, all) =>
  at % 2 === 0 && text !== 'Origin-Agent-Cluster' ? [text, all[at + 1] ?? ''] : [],
);

/**
 * Shows HTML that the API has rendered, such as a preview, in a frame of the console. The console's own policy allows no
 * styles in texts and makes no markup of them, and holds in frames that have no address of their own, too; so the console
 * sends the HTML as a form whose answer is the frame's content.
 */
export const renderedRoutes: readonly Route[] = [
  route({
    methods: ['post'],
    path: '/console/rendered',
    tag: 'Console',
    summary: 'HTML as it was sent, in a sandbox, for a frame of the console',
    access: { public: { tenant: null } },
    effect: 'read',
    unrepeatable: true,
    confidential: true,
    accepts: [TEXT_BODY],
    body: Type.String({ description: 'a form of type text/plain with one field, `html`' }),
    produces: [RENDERED],
    answers: { 200: Type.String() },
    handle: ({ body, sent, limits, clientAddress }) => {
      requireOwnForm(sent);
      limits.forms(addressCountedAs(clientAddress ?? undefined));
      const text = body.startsWith(FIELD) ? body.slice(FIELD.length) : body;
      return { status: 200, security: SECURITY, body: () => text };
    },
  }),
];
