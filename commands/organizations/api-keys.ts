import { randomBytes } from 'node:crypto';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import * as decide from '../../domain/organization/api-keys.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Dependencies = Pick<CommandDependencies, 'handle'>;

/** An API key that nobody can guess: `upt_` and 256 random bits, in characters that need no quoting. */
export const randomApiKey = (): string => `upt_${randomBytes(32).toString('base64url')}`;

export interface ApiKeyInput {
  name: string;
  /** null: the maker's own */
  role: string | null;
  expires_at: Instant | null;
  /** addresses and CIDR ranges that it works from; default: everywhere, or what the key works from that makes it */
  allowed_ips?: readonly string[];
}

interface Made {
  id: string;
  /** whether this very key was stored; otherwise the command had been done before, with another one */
  isStored: boolean;
}

const make = async (
  { handle }: Dependencies,
  { name, role, expires_at: expiresAt, allowed_ips: allowedIps = [] }: ApiKeyInput,
  { key, maker }: { key: string; maker: decide.Maker | null },
  context: CommandContext,
): Promise<Made> => {
  const id = context.newId();
  const made = { id, name, role, key, expiresAt, allowedIps, maker, origin: 'request' } as const;
  const { events } = await handle(
    context.organizationId,
    organizationDecider,
    (state) => decide.createApiKey(state, made, context.now),
    context,
  );
  const hash = hashOfApiKey(key);
  return { id, isStored: events.some(({ data }) => 'hash' in data && data.hash === hash) };
};

/**
 * The operator adds an API key to the context's organization.
 *
 * @param input `key`: the key itself, as {@link randomApiKey} makes it or the operator chose it
 * @returns the key's id
 * @throws NotFound, Conflict, Invalid, Forbidden
 */
export const createApiKey =
  (dependencies: Dependencies) =>
  async (input: ApiKeyInput & { role: string; key: string }, context: CommandContext): Promise<string> =>
    (await make(dependencies, input, { key: input.key, maker: null }, context)).id;

/**
 * Whoever calls makes an API key of their own.
 *
 * @returns the key's id, and the key itself; null where the same command was done before: nobody knows it any more
 * @throws Invalid, Forbidden
 */
export const issueApiKey =
  (dependencies: Dependencies) =>
  async (
    input: ApiKeyInput,
    { userId, keyId }: decide.Maker,
    context: CommandContext,
  ): Promise<{ id: string; token: string | null }> => {
    const token = randomApiKey();
    const { id, isStored } = await make(dependencies, input, { key: token, maker: { userId, keyId } }, context);
    return { id, token: isStored ? token : null };
  };

/** Revokes an API key of the context's organization. @throws NotFound, Conflict */
export const revokeApiKey =
  ({ handle }: Dependencies) =>
  async (keyId: string, context: CommandContext): Promise<void> => {
    await handle(
      context.organizationId,
      organizationDecider,
      (state) => decide.revokeApiKey(state, keyId, context.now),
      context,
    );
  };
