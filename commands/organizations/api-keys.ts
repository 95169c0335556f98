import { randomBytes } from 'node:crypto';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import * as decide from '../../domain/organization/api-keys.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Dependencies = Pick<CommandDependencies, 'handle'>;

/** Creates an API key: `upt_` and 256 random bits, encoded in characters that shells and URLs need not quote. */
export const randomApiKey = (): string => `upt_${randomBytes(32).toString('base64url')}`;

export interface ApiKeyInput {
  name: string;
  /** Role of the key. Null for the role of its creator. */
  role: string | null;
  expires_at: Instant | null;
  /**
   * Addresses and CIDR ranges that are allowed to use the key. Default: the ranges of the key that sends the request,
   * or all addresses.
   */
  allowed_ips?: readonly string[];
}

interface Made {
  id: string;
  /** Whether this key was stored. False for a repeated command, because its first run has stored a different key. */
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
 * @param input `key` is the key itself, from {@link randomApiKey} or chosen by the operator
 * @returns the id of the key
 * @throws NotFound, Conflict, Invalid, Forbidden
 */
export const createApiKey =
  (dependencies: Dependencies) =>
  async (input: ApiKeyInput & { role: string; key: string }, context: CommandContext): Promise<string> =>
    (await make(dependencies, input, { key: input.key, maker: null }, context)).id;

/**
 * Creates an API key that belongs to the caller.
 *
 * @returns the id, and the key itself, which is null for a repeated command, because only its hash is stored
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
