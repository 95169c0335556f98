import { Type, type Static } from '@sinclair/typebox';
import { NOT_AN_EMAIL } from '../../../domain/mail/address.ts';
import { ROLES } from '../../../domain/organization/roles.ts';
import { isEmail } from '../../../domain/organization/user-email.ts';
import { MAX_PERSONAL_NAME } from '../../../domain/organization/users.ts';
import type { DecryptedUser } from '../../../queries/organizations/users.ts';
import { createPresenter } from '../../presenter.ts';
import { withCheck, choice, Id, InstantOut, namedSchema, nullable, partial, text } from '../../schema.ts';

/** Statuses of users, in the order of their lifecycle. */
export const USER_STATUSES = ['invited', 'active', 'disabled'] as const;

const name = nullable(text(MAX_PERSONAL_NAME, { min: 1 }));

/** See docs/reference/users.md#user-fields. */
export const User = namedSchema(
  'User',
  Type.Object({
    id: Id,
    organization_id: Id,
    email: Type.String({ examples: ['ivan@example.com'] }),
    email_verified: Type.Boolean(),
    first_name: nullable(Type.String()),
    last_name: nullable(Type.String()),
    role: Type.String({ examples: ['editor'] }),
    status: Type.Unsafe<(typeof USER_STATUSES)[number]>({
      type: 'string',
      enum: [...USER_STATUSES],
      description: '`disabled`: the user was removed.',
    }),
    is_first_login: Type.Boolean({ description: 'Whether the user has signed in at most once.' }),
    last_login: nullable(InstantOut),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export type User = Static<typeof User>;

/** The signed-in user. */
export const Profile = namedSchema(
  'Profile',
  Type.Object({
    ...User.properties,
    second_factor: Type.Boolean({ description: 'Whether signing in requires a code in addition to the password.' }),
  }),
);

export const presentProfile = (user: DecryptedUser): Static<typeof Profile> => ({
  ...presentUser(user),
  second_factor: user.has_second_factor,
});

export const presentUser: (user: DecryptedUser) => User = createPresenter(User);

/** Longer than any valid address. */
const MAX_EMAIL = 1_000;

export const NewUser = Type.Object({
  email: withCheck(
    Type.String({
      maxLength: MAX_EMAIL,
      description: 'At most 254 characters. The address must be unique in the service.',
      examples: ['ivan@example.com'],
    }),
    isEmail,
    NOT_AN_EMAIL,
  ),
  role: choice(ROLES),
});

export const UserChange = partial(Type.Object({ role: NewUser.properties.role }));

export const ProfileChange = partial(Type.Object({ first_name: name, last_name: name }));

/** Response to an invitation. */
export const InvitationResponse = Type.Object({
  message: Type.String(),
  invitation_url: Type.Optional(
    Type.String({
      description: 'If the service sends no e-mail: the link for the user. Shown once; it works for 7 days.',
    }),
  ),
});
