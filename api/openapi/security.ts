import { TOKEN } from '../../http/routes/visitor.ts';
import type { Route } from '../route.ts';
import type { Json } from './publish-schema.ts';

type Public = Extract<Route['access'], { public: unknown }>['public'];

/** What a caller of a public route has to present: nothing, a key or nothing, or a signed link. */
export const securityOf = (access: Public): Json[] => {
  if ('link' in access) return [{ SignedLink: [] }];
  return access.key === 'optional' ? [{}, { ApiKey: [] }] : [];
};

/** The schemes that the operations of routes name. */
export const securitySchemes = (routes: readonly Route[]): Json => ({
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The API key itself; `Bearer <key>` is taken too.',
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
