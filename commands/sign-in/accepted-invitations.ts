import { Invalid } from '../../domain/errors.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { verifyInvitationLink, type InvitationLink } from '../../domain/organization/user-links.ts';
import * as decide from '../../domain/organization/users.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { readableText } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { requireGoodPassword } from '../passwords.ts';
import { isPasswordOf } from './second-factor.ts';
import { rememberAddress } from './sign-in-backoff.ts';
import { activeUser, asUser, type Origin } from './account.ts';
import { personalNames, sealJoiningData } from '../organizations/user-texts.ts';

/** The body of a request that accepts an invitation. */
export interface Acceptance {
  token: string;
  password: string;
  /** Name of the request field with the password, for error messages. Default: `password`. */
  password_field?: string;
  first_name: string | null;
  last_name: string | null;
}

type Accepting = Pick<CommandDependencies, 'entries' | 'handle' | 'keys' | 'passwords'>;

/**
 * Accepts an invitation to the organization that its link names. A repeated request with the same password succeeds
 * again, so that a client can retry after a lost response. (`Idempotency-Key` does not apply to these requests, see
 * docs/reference/users.md#accepting-an-invitation.)
 *
 * @throws Invalid with an error of `token` if the link is invalid, expired or already used, or a newer link was sent
 * @throws TooMany
 */
export const acceptInvitation =
  (dependencies: Accepting) =>
  async (input: Acceptance, origin: Origin, context: CommandContext): Promise<void> => {
    const { handle, keys, passwords } = dependencies;
    const link = await verifyInvitationLink(input.token, context.now, (kind, text) => keys.fingerprint(kind, text));
    if (!link) throw Invalid.field('token', 'The link is invalid or has expired.');
    const { organizationId, userId, invitation, way } = link;
    if (await wasAccepted(dependencies, link, input.password, context)) return;
    // Check the link before hashing, which is expensive.
    const organization = await handle.load(organizationId, organizationDecider, { organizationId });
    const before = decide.requireOpenInvitation(organization, userId, invitation);
    // The link proves that the caller is the invited user, who is therefore the actor.
    const own = await asUser({ id: userId, role: before.role, organizationId }, origin, context);
    const names = personalNames(input);
    const email = await readableText(before.email, { organizationId, field: 'email' }, keys);
    await requireGoodPassword(input.password, input.password_field ?? 'password', email ?? null);
    const hashed = await passwords.hash(input.password);
    await handle(
      organizationId,
      organizationDecider,
      async (organization) => {
        // Check again before sealing: the user might have been removed concurrently, together with the key.
        decide.requireOpenInvitation(organization, userId, invitation);
        const joining = await sealJoiningData(keys, userId, own, names, hashed);
        return decide.acceptInvitation(
          organization,
          { userId, invitation },
          { ...joining, emailVerified: way === 'mailed' },
        );
      },
      own,
    );
    await rememberAddress(dependencies)(userId, origin.network, millisecondsOf(context.now));
  };

/** Tests whether the invitation was already accepted with this password. @throws TooMany */
const wasAccepted = async (
  dependencies: Accepting,
  { organizationId, userId, invitation }: InvitationLink,
  password: string,
  context: CommandContext,
): Promise<boolean> => {
  const user = await activeUser(dependencies)({ organizationId, userId });
  return user?.invitation === invitation && isPasswordOf(dependencies)(user, password, context);
};
