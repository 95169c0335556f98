import { NotSignedIn } from '../../domain/errors.ts';
import { pageToken } from '../../domain/page/access-token.ts';
import { openingPasswords, PAGE_PASSWORD_FIELD } from '../../domain/page/passwords.ts';
import { pageDecider } from '../../domain/page/state.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { readableText } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { countPageGuess, rememberVisitor, type CountedAttempt } from '../sign-in/sign-in-backoff.ts';

/** The access token that a visitor gets for a correct password. */
export interface PageAccess {
  token: string;
  /** seconds until the token expires */
  expiresIn: number;
  /** name of the password */
  passwordName: string;
}

/**
 * Grants a visitor access to a page in exchange for one of its passwords. Every refusal has the same response and costs
 * one hash, so a refusal does not reveal whether the page has passwords.
 *
 * @param network the visitor's IPv4 address, or the network of an IPv6 address
 * @throws NotFound
 * @throws NotSignedIn if the password is wrong, inactive or expired
 * @throws TooMany
 */
export const openPage =
  (dependencies: Pick<CommandDependencies, 'handle' | 'keys' | 'entries' | 'pagePasswords'>) =>
  async (pageId: string, password: string, network: string, context: CommandContext): Promise<PageAccess> => {
    const { handle, keys, pagePasswords } = dependencies;
    const { now, organizationId } = context;
    // Load the stream, because the read model might not show yet that a password was changed or removed.
    const opening = openingPasswords(await handle.load(pageId, pageDecider, context), now);
    const sealedIn = { organizationId, field: PAGE_PASSWORD_FIELD };
    const attempt = await countPageGuess(dependencies)({ pageId, network }, millisecondsOf(now));
    const hashes = await Promise.all(opening.map(({ hash }) => readableText(hash, sealedIn, keys)));
    const readable = opening.flatMap((one, index) => {
      const phc = hashes[index];
      return phc === undefined ? [] : [{ one, phc }];
    });
    const phcs = readable.map(({ phc }) => phc);
    const index = await orTakenBack(attempt, pagePasswords.indexOf(password, phcs));
    const match = readable[index];
    if (!match) throw new NotSignedIn('The password is wrong.');
    await attempt.uncount();
    await rememberVisitor(dependencies)({ pageId, network }, millisecondsOf(now));
    const mac = (kind: string, text: string): Promise<string> => keys.fingerprint(kind, text);
    const { token, expiresIn } = await pageToken({ organizationId, pageId, password: match.one }, now, mac);
    return { token, expiresIn, passwordName: match.one.fields.name };
  };

/** Uncounts the attempt if the hasher is overloaded, because the password was not compared. */
const orTakenBack = async <T>({ uncount }: CountedAttempt, compared: Promise<T>): Promise<T> => {
  try {
    return await compared;
  } catch (error) {
    await uncount();
    throw error;
  }
};
