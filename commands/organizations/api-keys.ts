import { randomBytes } from 'node:crypto';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import * as decide from '../../domain/organization/api-keys.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Dependencies = Pick<CommandDependencies, 'handle'>;

/** A new API key: `upt_` and 256 random bits, in characters that need no quoting. */
export const randomApiKey = (): string => `upt_${randomBytes(32).toString('base64url')}`;

export interface ApiKeyInput {
  name: string;
  /** null: the role of the creator */
  role: string | null;
  expires_at: Instant | null;
  /** addresses and CIDR ranges that may use it; default: those of the key that creates it, otherwise all */
  allowed_ips?: readonly string[];
}

interface Made {
  id: string;
  /** whether this key was stored; false if a repeated command had stored another key before */
  isStored: boolean;
}

const make = async (
  { handle }: Dependencies,
  { name, role, expires_at: expiresAt, allowed_ips: allowedIps = [] }: ApiKeyInput,
  { key, maker }: { key: string; maker: decide.KeyCreator | null },
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
 * Adds an API key to the context's organization, on behalf of the operator.
 *
 * @param input `key`: the key itself, from {@link randomApiKey} or chosen by the operator
 * @returns the key's id
 * @throws NotFound, Conflict, Invalid, Forbidden
 */
export const createApiKey =
  (dependencies: Dependencies) =>
  async (input: ApiKeyInput & { role: string; key: string }, context: CommandContext): Promise<string> =>
    (await make(dependencies, input, { key: input.key, maker: null }, context)).id;

/**
 * Creates an API key that belongs to the caller.
 *
 * @returns the key's id, and the key itself; null for a repeated command, since the key is not stored
 * @throws Invalid, Forbidden
 */
export const issueApiKey =
  (dependencies: Dependencies) =>
  async (
    input: ApiKeyInput,
    { userId, keyId }: decide.KeyCreator,
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
