import { issueApiKey, revokeApiKey } from '../../../commands/organizations/api-keys.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { listVisibleApiKeys, findApiKey, type KeyCreators } from '../../../queries/organizations/api-keys.ts';
import { singlePage } from '../../../queries/engine/listing.ts';
import { unpaginated } from '../../pagination.ts';
import { resource } from '../../resource.ts';
import { created, route, type Call, type Route } from '../../route.ts';
import { ApiKey, NewApiKey, ApiKeyWithToken, presentApiKey, type ApiKeyWithUse } from './schema.ts';

/** Both paths serve the same keys, because existing clients use both. */
const PATHS = ['/v1/api-tokens', '/v1/api-keys'] as const;
const tag = 'API keys';
const needs = { read: 'api_keys.own', write: 'api_keys.own' } as const;

type ReadCall = Pick<Call<unknown, unknown, unknown>, 'caller' | 'lastUses' | 'may' | 'scope'>;

/**
 * Returns whose keys a caller can see and delete. Callers with the permission `api_keys.administer` can see and delete
 * the keys of all users, other callers only their own keys.
 */
const makersFor = ({ caller: { userId, keyId }, may }: Pick<ReadCall, 'caller' | 'may'>): KeyCreators =>
  may('api_keys.administer') ? 'everybody' : { userId, keyId };

const show = async (call: ReadCall, id: string): Promise<ApiKeyWithUse> => {
  const key = await findApiKey(call.scope, makersFor(call), id);
  const uses = await call.lastUses.of([id]);
  return { key, lastUsedAt: uses.get(id) ?? null };
};

const createRoute = (path: string): Route =>
  route({
    methods: ['post'],
    path,
    summary: 'Create an API key',
    description: 'The key is shown once.',
    tag,
    access: { needs: needs.write },
    body: NewApiKey,
    confidential: true,
    oneTime: ['token'],
    responses: { 201: ApiKeyWithToken },
    handle: async (call) => {
      const { name, role = null, expires_at = null, allowed_ips } = call.body;
      const input = { name, role, expires_at, allowed_ips: allowed_ips ?? [] };
      const { id, token } = await call.commands.bind(issueApiKey)(input, call.caller, call.context);
      return created(`${path}/${id}`, id, async () => ({
        ...presentApiKey(await show(call, id)),
        ...(token !== null && { token }),
      }));
    },
  });

/** API keys (docs/reference/api-keys.md). */
export const apiKeyRoutes: Route[] = PATHS.flatMap((path) =>
  resource({
    path,
    id: 'key_id',
    tag,
    noun: 'API key',
    needs,
    schema: ApiKey,
    confidential: true,
    present: presentApiKey,
    show: (call) => show(call, call.params.key_id),
    find: (call) => findApiKey(call.scope, makersFor(call), call.params.key_id),
    list: {
      summary: 'List API keys',
      description: 'The list is sorted newest first. Admins see all keys of the organization, others only their own.',
      style: unpaginated,
      ask: async (call) => {
        const keys = await listVisibleApiKeys(call.scope, makersFor(call));
        const uses = await call.lastUses.of(keys.map(({ api_key_id }) => api_key_id));
        return singlePage(keys.map((key) => ({ key, lastUsedAt: uses.get(key.api_key_id) ?? null })));
      },
    },
    furtherRoutes: [createRoute(path)],
    remove: {
      summary: 'Delete an API key',
      description: 'The key is refused as soon as the response arrives.',
      waitsFor: [organizations.name],
      ask: ({ params, commands, context }) => commands.bind(revokeApiKey)(params.key_id, context),
    },
  }),
);
