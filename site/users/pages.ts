import type { ErrorBody } from '../../http/errors.ts';
import { escapedHtml } from '../../http/media/error-page.ts';
import { MIN_PASSWORD_LENGTH } from '../../domain/organization/password.ts';
import { MAX_PERSONAL_NAME } from '../../domain/organization/users.ts';
import { fromPeople, layout } from '../layout.ts';

/** The values of a form. After an error, the form is filled in with them again, except for passwords. */
export interface InvitationFormValues {
  first_name?: string | undefined;
  last_name?: string | undefined;
}

/** Error messages by field. */
export type FormErrorsByField = Readonly<Record<string, readonly string[]>>;

/** Returns a page. These pages are always in English, because accounts have no language setting. */
const page = (title: string, content: string): string => layout({ language: 'en', title, content });

const field = (label: string, name: string, attributes: string): string =>
  `<label>${label}<input name="${name}" ${attributes}></label>\n`;

/** Returns a read-only field with the e-mail address. Password managers store the new password under this address. */
const emailField = (email: string): string =>
  `<label>E-mail<input type="email" autocomplete="username" readonly value="${escapedHtml(email)}"></label>\n`;

const passwordField = (label: string): string =>
  field(
    `${label} (${MIN_PASSWORD_LENGTH} characters at least)`,
    'password',
    `type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_LENGTH}"`,
  );

const nameField = (
  label: string,
  name: keyof InvitationFormValues,
  autocomplete: string,
  value: string | undefined,
): string =>
  field(
    label,
    name,
    `autocomplete="${autocomplete}" maxlength="${MAX_PERSONAL_NAME}" value="${escapedHtml(value ?? '')}"`,
  );

const LABELS: Readonly<Record<string, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  password: 'Password',
  new_password: 'Password',
};

const errorList = (wrong: FormErrorsByField): string => {
  const messages = Object.entries(wrong).flatMap(([name, sentences]) =>
    sentences.map((sentence) => (LABELS[name] === undefined ? sentence : `${LABELS[name]}: ${sentence}`)),
  );
  return messages.length === 0 ? '' : `<p class="wrong" role="alert">${messages.map(escapedHtml).join('<br>')}</p>\n`;
};

/**
 * Returns a form without an `action`. The browser therefore submits the form to the URL of its page, and the token
 * occurs only in the query of that URL.
 */
const form = (fields: string, button: string): string =>
  `<form method="post">\n${fields}<button>${escapedHtml(button)}</button>\n</form>`;

export interface AccountSubject {
  organization: string;
  email: string;
}

/** Returns the form for accepting an invitation. */
export const acceptPage = (
  { organization, email }: AccountSubject,
  values: InvitationFormValues = {},
  wrong: FormErrorsByField = {},
): string =>
  page(
    'Accept the invitation',
    `<p>You are invited to ${fromPeople(organization)}. Choose the password that you will sign in with.</p>\n` +
      errorList(wrong) +
      form(
        emailField(email) +
          nameField('First name (optional)', 'first_name', 'given-name', values.first_name) +
          nameField('Last name (optional)', 'last_name', 'family-name', values.last_name) +
          passwordField('Password'),
        'Accept',
      ),
  );

/** Returns the form for a new password. */
export const resetPage = ({ organization, email }: AccountSubject, wrong: FormErrorsByField = {}): string =>
  page(
    'Set a new password',
    `<p>For your account at ${fromPeople(organization)}. You will be signed out everywhere.</p>\n` +
      errorList(wrong) +
      form(emailField(email) + passwordField('New password'), 'Set password'),
  );

const ACCOUNT_RESULTS = {
  joined: ['You have joined', 'From now on you can sign in with your e-mail and this password.'],
  accepted: ['This invitation was accepted', 'You can sign in with your e-mail and your password.'],
  superseded: ['A later invitation was sent', 'Please use the link in the most recent one.'],
  gone: ['This link does not work', 'It has been used, or a newer one was requested. Ask for a new one.'],
  reset: ['Your password is set', 'You were signed out everywhere. Sign in with the new password.'],
} as const;

export type AccountResult = keyof typeof ACCOUNT_RESULTS;

/** Returns a page with a title and a sentence about the outcome of an invitation or a password reset. */
export const accountResultPage = (result: AccountResult): string =>
  page(ACCOUNT_RESULTS[result][0], `<p>${escapedHtml(ACCOUNT_RESULTS[result][1])}</p>`);

/** Returns the error page for a link whose account is unknown, because its token is invalid (403) or missing (400). */
export const problemPage = ({ code }: ErrorBody): string =>
  code === 403 || code === 400
    ? page('This link does not work', '<p>It is incomplete or has expired. Ask for a new one.</p>')
    : page('That did not work', '<p>Please try again in a minute.</p>');
