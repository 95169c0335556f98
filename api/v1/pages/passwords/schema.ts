import { Type, type Static } from '@sinclair/typebox';
import { MIN_PASSWORD_LENGTH } from '../../../../domain/organization/password.ts';
import { MAX_HINT, PAGE_PASSWORD_DEFAULTS } from '../../../../domain/page/passwords.ts';
import { MAX_NAME } from '../../../../domain/page/rules.ts';
import { createPresenter } from '../../../presenter.ts';
import { withDefaults, Id, instantIn, InstantOut, namedSchema, nullable, partial, text } from '../../../schema.ts';
import { Password } from '../../login/schema.ts';

const fields = {
  name: text(MAX_NAME, { min: 1, description: 'Unique on the page. Shown to visitors who use the password.' }),
  password_hint: nullable(text(MAX_HINT, { min: 1, description: 'Shown to visitors who are asked for a password.' })),
  active: Type.Boolean({ description: 'A page with an active password asks its visitors for one.' }),
  expires_at: nullable(instantIn({ description: 'From then on the password is refused; the page stays protected.' })),
};

const password = {
  ...Password,
  minLength: MIN_PASSWORD_LENGTH,
  description: '8 to 1,000 characters. Very common passwords are refused. Responses never contain it.',
};

/** Body of POST. */
export const NewPagePassword = Type.Object({
  ...withDefaults(fields, PAGE_PASSWORD_DEFAULTS),
  name: fields.name,
  password,
});

/** Body of PUT and PATCH: absent fields stay unchanged. */
export const PagePasswordChange = partial(Type.Object({ ...fields, password }));

/** See docs/reference/page-passwords.md#fields. */
export const PagePassword = namedSchema(
  'PagePassword',
  Type.Object({
    id: Id,
    ...fields,
    expires_at: nullable(InstantOut),
    is_expired: Type.Boolean(),
    created_by: Type.String({ description: 'The id of a user, or of the API key that was used.' }),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export type PagePassword = Static<typeof PagePassword>;

export const presentPagePassword = createPresenter(PagePassword);

export const PasswordHints = Type.Object({
  hints: Type.Array(Type.Object({ name: Type.String(), password_hint: nullable(Type.String()) })),
});

export const PagePasswordAttempt = Type.Object({ password: Password });

export const PageAccess = namedSchema(
  'PageAccess',
  Type.Object({
    access_token: Type.String({ description: 'Send it in `Authorization` to read what visitors of this page see.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the token in seconds. Changing the password ends it early.' }),
    password_name: Type.String(),
  }),
);
