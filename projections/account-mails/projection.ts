import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** The kind of cause that an {@link AccountMailDocument} represents (reactors/delivery/). */
export const ACCOUNT_CAUSE = 'account';

/** A link to be sent to a user, which is the cause of one message. A later link of the same kind replaces it. */
export interface AccountMailDocument {
  /** `invitation/{user id}` or `reset/{user id}`. */
  id: string;
  organization_id: string;
  user_id: string;
  what: 'invitation' | 'reset';
  /** Number of the invitation or reset. The link contains this number. */
  number: number;
  cause: Cause;
  /** Highest priority of messages. */
  priority: 'account';
  /** The message belongs to no series. */
  series: null;
  /** Time of the request, and start of the validity of the link. */
  caused_at: Instant;
  changed_position: number;
}

interface Models {
  account_mails: Model<AccountMailDocument>;
}

export const accountMailId = (what: AccountMailDocument['what'], userId: string): string => `${what}/${userId}`;

const wanted = (
  what: AccountMailDocument['what'],
  number: number,
  event: RecordedEventOf<'UserInvited' | 'InvitationResent' | 'PasswordResetRequested'>,
  { account_mails }: Models,
): void => {
  const { organization_id, user_id } = event.data;
  account_mails.put({
    id: accountMailId(what, user_id),
    organization_id,
    user_id,
    what,
    number,
    cause: { kind: ACCOUNT_CAUSE, id: event.id },
    priority: 'account',
    series: null,
    caused_at: event.metadata.recorded_at,
    changed_position: Number(event.position),
  });
};

const over =
  (...whats: AccountMailDocument['what'][]) =>
  ({ data: { user_id } }: { data: { user_id: string } }, { account_mails }: Models): void => {
    for (const what of whats) account_mails.delete(accountMailId(what, user_id));
  };

/** Links to be sent to users: open invitations and password resets. */
export const accountMails = defineProjection({
  name: 'account_mails',
  version: 1,
  log: 'main',
  collections: {
    account_mails: collection<AccountMailDocument>({ indexes: [{ changed_position: 1 }] }),
  },
  documents: ({ data: { user_id } }) => ({
    account_mails: [accountMailId('invitation', user_id), accountMailId('reset', user_id)],
  }),
  on: {
    UserInvited: (event, models) => {
      wanted('invitation', event.data.invitation, event, models);
    },
    InvitationResent: (event, models) => {
      wanted('invitation', event.data.invitation, event, models);
    },
    PasswordResetRequested: (event, models) => {
      wanted('reset', event.data.reset, event, models);
    },
    UserJoined: over('invitation'),
    UserPasswordChanged: over('reset'),
    UserRemoved: over('invitation', 'reset'),
  },
});
