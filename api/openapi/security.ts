import { TOKEN } from '../../http/routes/visitor.ts';
import { needsSession } from '../permissions.ts';
import type { Route } from '../route.ts';
import type { Json } from './publish-schema.ts';

type Public = Extract<Route['access'], { public: unknown }>['public'];

/** What a caller has to present, unless a route says otherwise. */
export const SECURITY: readonly Json[] = [{ ApiKey: [] }, { AccessToken: [] }];

/** What a caller of a public route has to present: nothing, a key or nothing, or a signed link. */
const securityOfPublic = (access: Public): readonly Json[] => {
  if ('link' in access) return [{ SignedLink: [] }];
  return access.key === 'optional' ? [{}, ...SECURITY] : [];
};

/** What an operation says of it; nothing where {@link SECURITY} holds. */
export const securityOf = ({ access }: Pick<Route, 'access'>): { security?: readonly Json[] } => {
  if ('public' in access) return { security: securityOfPublic(access.public) };
  return needsSession(access.needs) ? { security: [{ AccessToken: [] }] } : {};
};

/** The schemes that the operations of routes name. */
export const securitySchemes = (routes: readonly Route[]): Json => ({
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The API key itself; `Bearer <key>` is taken too.',
  },
  AccessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of a session. It is taken without `Bearer` too, and works for a quarter of an hour.',
  },
  ...(routes.some(({ access }) => 'public' in access && 'link' in access.public) && {
    SignedLink: {
      type: 'apiKey',
      in: 'query',
      name: TOKEN,
      description: 'The token of a link that the service has signed; it is good for one thing, and for a time.',
    },
  }),
});
