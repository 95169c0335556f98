import type { Request } from 'express';
import type { CommandContext } from '../commands/context.ts';
import { KeyForgotten, type Keys } from '../stores/keys/port.ts';

const LONGEST_USER_AGENT = 500;

/**
 * Where a request came from, sealed under the key of its actor, so that forgetting the actor forgets
 * it in every event (design.md: Events, Personal data). Of an actor that is already forgotten nothing
 * is kept.
 */
export const sealedClient = async (
  keys: Keys,
  keyId: string,
  request: Request,
): Promise<Pick<CommandContext, 'clientAddress' | 'userAgent'>> => {
  const key = `api_key-${keyId}`;
  // An IPv4 address that comes over an IPv6 socket is written as what it is.
  const address = request.ip?.replace(/^::ffff:(?=[\d.]+$)/, '');
  const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT);
  try {
    const [clientAddress, sealedUserAgent] = await Promise.all([
      address === undefined ? undefined : keys.seal(key, address),
      userAgent === undefined ? undefined : keys.seal(key, userAgent),
    ]);
    return { ...(clientAddress && { clientAddress }), ...(sealedUserAgent && { userAgent: sealedUserAgent }) };
  } catch (error) {
    if (error instanceof KeyForgotten) return {};
    throw error;
  }
};
