import type { Schemas } from '../../api/openapi.d.ts';
import { personText } from '../../parts/person.ts';
import { call } from '../../session/call.ts';

/** The actors that the filter offers: users and API keys. */
export interface Actors {
  users: readonly { id: string; name: string }[];
  keys: readonly Schemas['ApiKey'][];
}

export const actorsOf = async (signal: AbortSignal): Promise<Actors> => {
  const [users, keys] = await Promise.all([
    call('GET /v1/users', { query: { status: ['invited', 'active', 'disabled'] } }, { signal }),
    call('GET /v1/api-keys', {}, { signal }),
  ]);
  return { users: users.map((user) => ({ id: user.id, name: personText(user) })), keys };
};
