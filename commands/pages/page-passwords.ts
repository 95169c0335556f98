import { Invalid } from '../../domain/errors.ts';
import type { PagePasswordFields } from '../../domain/page/password-events.ts';
import * as decide from '../../domain/page/passwords.ts';
import { existing, pageDecider } from '../../domain/page/state.ts';
import { notFound } from '../../domain/existence.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { KeyForgotten, readableText, type Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { commonPasswords } from '../passwords.ts';

type Changing = Pick<CommandDependencies, 'handle' | 'keys' | 'passwords'>;

/** The body of a request that adds a password to a page. */
export type NewPagePassword = decide.PagePasswordInput & Pick<PagePasswordFields, 'name'> & { password: string };

/** A change of a page password. Absent fields keep their value. */
export type PagePasswordChange = decide.PagePasswordInput & { password?: string | undefined };

const SALT_BYTES = 16;

/**
 * Derives the salt of a page's passwords. All passwords of a page share one salt, so the text that a visitor enters is
 * hashed only once, and then compared with all of them. Therefore the duration of a guess does not depend on the number
 * of passwords.
 */
const saltOf = async (keys: Pick<Keys, 'fingerprint'>, pageId: string): Promise<Uint8Array> =>
  Buffer.from(await keys.fingerprint('page password salt', pageId), 'base64url').subarray(0, SALT_BYTES);

const hashed = async (
  { keys, passwords }: Changing,
  pageId: string,
  password: string,
  { organizationId }: CommandContext,
): Promise<Sealed> => {
  const phc = await passwords.hash(password, await saltOf(keys, pageId));
  try {
    const place = { organizationId, field: decide.PAGE_PASSWORD_FIELD };
    return await keys.seal(decide.pagePasswordsKey(pageId), phc, place);
  } catch (error) {
    // The key was deleted, which means that the page was deleted concurrently.
    if (error instanceof KeyForgotten) throw notFound('page');
    throw error;
  }
};

/** Returns the errors of a password that is added or changed, by field, or `{}` if it is valid. */
export const pagePasswordProblems =
  () =>
  async (
    input: PagePasswordChange,
    stored: PagePasswordFields | null,
    { now }: Pick<CommandContext, 'now'>,
  ): Promise<Record<string, string[]>> =>
    decide.pagePasswordProblems(input, stored, { common: await commonPasswords(), now });

/** Validates a password. @throws Invalid with the errors of all fields */
const requireValid = async (
  input: PagePasswordChange,
  stored: PagePasswordFields | null,
  context: CommandContext,
): Promise<void> => {
  const json = await pagePasswordProblems()(input, stored, context);
  if (Object.keys(json).length > 0) throw new Invalid({ json });
};

/**
 * Adds a password to a page. The page is then accessible with a password only.
 *
 * @returns its id
 * @throws NotFound, Invalid, Conflict, IllegalState
 * @throws TooMany if too many passwords are being hashed
 */
export const addPagePassword =
  (dependencies: Changing) =>
  async (pageId: string, { password, ...input }: NewPagePassword, context: CommandContext): Promise<string> => {
    await requireValid({ ...input, password }, null, context);
    const hash = await hashed(dependencies, pageId, password, context);
    const id = context.newId();
    await dependencies.handle(
      pageId,
      pageDecider,
      (page) => decide.addPagePassword(page, id, input, hash, context.now),
      context,
    );
    return id;
  };

/**
 * Changes a password of a page. A new password, or deactivation (`active: false`), revokes the tokens that were issued
 * for the previous password.
 *
 * @throws NotFound, Invalid, Conflict
 * @throws TooMany if too many passwords are being hashed
 */
export const changePagePassword =
  (dependencies: Changing) =>
  async (
    pageId: string,
    id: string,
    { password, ...input }: PagePasswordChange,
    context: CommandContext,
  ): Promise<void> => {
    const page = existing(await dependencies.handle.load(pageId, pageDecider, context));
    const { fields, hash: former } = decide.findPagePassword(page, id);
    await requireValid({ ...input, password }, fields, context);
    if (password === undefined) await requireOther(dependencies, former, fields, input, context);
    const hash = password === undefined ? null : await hashed(dependencies, pageId, password, context);
    await dependencies.handle(
      pageId,
      pageDecider,
      (state) => decide.changePagePassword(state, id, input, hash, context.now),
      context,
    );
  };

/**
 * @throws Invalid if a new name or hint equals the password. Whether a name or hint contains the password cannot be
 * checked, because only the hash of the password is stored.
 */
const requireOther = async (
  { keys, passwords }: Changing,
  hash: Sealed,
  fields: PagePasswordFields,
  input: decide.PagePasswordInput,
  { organizationId }: CommandContext,
): Promise<void> => {
  for (const field of decide.VISIBLE_FIELDS) {
    const text = input[field];
    if (typeof text !== 'string' || text === fields[field]) continue;
    const phc = await readableText(hash, { organizationId, field: decide.PAGE_PASSWORD_FIELD }, keys);
    if (phc !== undefined && (await passwords.matches(text, phc))) throw Invalid.field(field, decide.REVEALS_PASSWORD);
  }
};

/** Removes a password of a page, and revokes the tokens that were issued for it. @throws NotFound */
export const removePagePassword =
  ({ handle }: Pick<Changing, 'handle'>) =>
  async (pageId: string, id: string, context: CommandContext): Promise<void> => {
    await handle(pageId, pageDecider, (page) => decide.removePagePassword(page, id, context.now), context);
  };
