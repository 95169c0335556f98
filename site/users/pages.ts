import type { ErrorBody } from '../../http/errors.ts';
import { escapedHtml } from '../../http/media/error-page.ts';
import { SHORTEST_PASSWORD } from '../../domain/organization/password.ts';
import { LONGEST_PERSONAL_NAME } from '../../domain/organization/users.ts';
import { fromPeople, layout } from '../layout.ts';

/** What is asked for by a form; each is sent back as it was filled in, but passwords. */
export interface Asked {
  first_name?: string | undefined;
  last_name?: string | undefined;
}

/** Sentences by field. */
export type Wrong = Readonly<Record<string, readonly string[]>>;

/** Accounts have no language, so these pages are in English. */
const page = (title: string, content: string): string => layout({ language: 'en', title, content });

const field = (label: string, name: string, attributes: string): string =>
  `<label>${label}<input name="${name}" ${attributes}></label>\n`;

/** Password managers keep the new password for this name. */
const emailField = (email: string): string =>
  `<label>E-mail<input type="email" autocomplete="username" readonly value="${escapedHtml(email)}"></label>\n`;

const passwordField = (label: string): string =>
  field(
    `${label} (${SHORTEST_PASSWORD.toString()} characters at least)`,
    'password',
    `type="password" autocomplete="new-password" required minlength="${SHORTEST_PASSWORD.toString()}"`,
  );

const nameField = (label: string, name: keyof Asked, autocomplete: string, value: string | undefined): string =>
  field(
    label,
    name,
    `autocomplete="${autocomplete}" maxlength="${LONGEST_PERSONAL_NAME.toString()}" value="${escapedHtml(value ?? '')}"`,
  );

const LABELS: Readonly<Record<string, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  password: 'Password',
  new_password: 'Password',
};

const wrongs = (wrong: Wrong): string => {
  const said = Object.entries(wrong).flatMap(([name, sentences]) =>
    sentences.map((sentence) => (LABELS[name] === undefined ? sentence : `${LABELS[name]}: ${sentence}`)),
  );
  return said.length === 0 ? '' : `<p class="wrong" role="alert">${said.map(escapedHtml).join('<br>')}</p>\n`;
};

/** A form without an `action` is sent to where the page came from, so the token stays in the query alone. */
const form = (fields: string, button: string): string =>
  `<form method="post">\n${fields}<button>${escapedHtml(button)}</button>\n</form>`;

export interface About {
  organization: string;
  email: string;
}

/** Asks for what is needed to join. */
export const acceptPage = ({ organization, email }: About, asked: Asked = {}, wrong: Wrong = {}): string =>
  page(
    'Accept the invitation',
    `<p>You are invited to ${fromPeople(organization)}. Choose the password that you will sign in with.</p>\n` +
      wrongs(wrong) +
      form(
        emailField(email) +
          nameField('First name (optional)', 'first_name', 'given-name', asked.first_name) +
          nameField('Last name (optional)', 'last_name', 'family-name', asked.last_name) +
          passwordField('Password'),
        'Accept',
      ),
  );

/** Asks for a new password. */
export const resetPage = ({ organization, email }: About, wrong: Wrong = {}): string =>
  page(
    'Set a new password',
    `<p>For your account at ${fromPeople(organization)}. You will be signed out everywhere.</p>\n` +
      wrongs(wrong) +
      form(emailField(email) + passwordField('New password'), 'Set password'),
  );

const SAID = {
  joined: ['You have joined', 'From now on you can sign in with your e-mail and this password.'],
  accepted: ['This invitation was accepted', 'You can sign in with your e-mail and your password.'],
  superseded: ['A later invitation was sent', 'Please use the link in the most recent one.'],
  gone: ['This link does not work', 'It was used, or a later one was asked for. Ask for another one.'],
  reset: ['Your password is set', 'You were signed out everywhere. Sign in with the new password.'],
} as const;

export type Said = keyof typeof SAID;

/** How things stand, in a title and a sentence. */
export const saidPage = (said: Said): string => page(SAID[said][0], `<p>${escapedHtml(SAID[said][1])}</p>`);

/** What went wrong before anybody knew whom the link is for: a token is wrong (403) or absent (400). */
export const problemPage = ({ code }: ErrorBody): string =>
  code === 403 || code === 400
    ? page('This link does not work', '<p>It is incomplete, or has expired. Ask for another one.</p>')
    : page('That did not work', '<p>Please try again in a minute.</p>');
