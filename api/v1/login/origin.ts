import type { Account, Origin } from '../../../commands/sign-in/account.ts';
import { networkOf } from '../../../http/client-address.ts';
import type { UserDocument } from '../../../projections/organizations/documents.ts';
import type { Call } from '../../route.ts';

/** Returns the client address and user agent of a request without a key. */
export const signInOrigin = ({
  clientAddress,
  sealedFor,
}: Pick<Call<unknown, unknown, unknown>, 'clientAddress' | 'sealedFor'>): Origin => ({
  network: networkOf(clientAddress ?? ''),
  client: sealedFor,
});

export const accountOf = (user: UserDocument | null): Account | null =>
  user && { userId: user.id, organizationId: user.organization_id };
