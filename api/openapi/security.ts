import { TOKEN_PARAMETER } from '../../http/routes/visitor.ts';
import { needsSession } from '../permissions.ts';
import type { Route } from '../route.ts';
import type { OpenApiObject } from './publish-schema.ts';

type Public = Extract<Route['access'], { public: unknown }>['public'];

/** The default security requirement. */
export const SECURITY: readonly OpenApiObject[] = [{ ApiKey: [] }, { AccessToken: [] }];

/** Returns the security requirement of a public route: none, an optional key, or a signed link. */
const securityOfPublic = (access: Public): readonly OpenApiObject[] => {
  if ('link' in access) return [{ SignedLink: [] }];
  return access.key === 'optional' ? [{}, ...SECURITY] : [];
};

/** Returns the security requirement of an operation, or an empty object if the default {@link SECURITY} applies. */
export const securityOf = ({ access }: Pick<Route, 'access'>): { security?: readonly OpenApiObject[] } => {
  if ('public' in access) return { security: securityOfPublic(access.public) };
  return needsSession(access.needs) ? { security: [{ AccessToken: [] }] } : {};
};

/** Creates the security schemes that the routes use. */
export const securitySchemes = (routes: readonly Route[]): OpenApiObject => ({
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The API key itself, or `Bearer <key>`.',
  },
  AccessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of a session, with or without `Bearer`. It works for 15 minutes.',
  },
  ...(routes.some(({ access }) => 'public' in access && 'link' in access.public) && {
    SignedLink: {
      type: 'apiKey',
      in: 'query',
      name: TOKEN_PARAMETER,
      description: 'The token of a link signed by the service. It works for one resource and a limited time.',
    },
  }),
});
