import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import { request } from '../../api/request.ts';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Gate } from '../../parts/gate.tsx';
import { Link } from '../../parts/link.tsx';
import { navigate } from '../../router/router.ts';
import { signIn } from '../../session/session.ts';
import { words } from '../../shell/language.ts';
import type { AccountLink } from './link.ts';

/**
 * Asks for a new password, and an invited user also for their names. Then signs the user in, unless a second-factor
 * code is needed.
 */
export const NewPassword = ({ token, link }: { token: string; link: AccountLink }): JSX.Element => {
  const password = useSignal('');
  const repeated = useSignal('');
  const firstName = useSignal('');
  const lastName = useSignal('');
  const differs = useSignal(false);
  const done = useSignal(false);
  const of = useSubmit();
  const { links: says, firstRun, account } = words.value;
  const isInvitation = link.purpose === 'invitation';
  const { email } = link;

  const send = async (): Promise<void> => {
    differs.value = password.value !== repeated.value;
    if (differs.value) return;
    const names = isInvitation
      ? { first_name: firstName.value.trim() || null, last_name: lastName.value.trim() || null }
      : {};
    await request('POST /v1/users/reset-password', { body: { token, new_password: password.value, ...names } });
    const isIn = email !== null && (await signIn(email, password.value).catch(refusedOnly)) === null;
    if (isIn) navigate('/', { replace: true });
    else done.value = true;
  };

  if (done.value)
    return (
      <Gate title={says.set}>
        <p>{says.setText}</p>
        <Link to="/" class="button primary wide">
          {says.toSignIn}
        </Link>
      </Gate>
    );
  return (
    <Gate title={isInvitation ? says.invitationTitle : says.resetTitle}>
      <p>
        {isInvitation ? says.invitationText : says.resetText} <bdi>{link.organization}</bdi>
      </p>
      <Form wide submit={isInvitation ? says.accept : says.setPassword} of={of} onSubmit={send}>
        <label class="field">
          <span class="label">{words.value.signIn.email}</span>
          <span class="input">
            <input type="email" name="email" autocomplete="username" readOnly value={email ?? ''} />
          </span>
        </label>
        {isInvitation && (
          <>
            <Field
              label={account.firstName}
              name="first_name"
              autocomplete="given-name"
              optional
              value={firstName}
              problem={of.problemOf('first_name')}
            />
            <Field
              label={account.lastName}
              name="last_name"
              autocomplete="family-name"
              optional
              value={lastName}
              problem={of.problemOf('last_name')}
            />
          </>
        )}
        <Field
          label={words.value.signIn.password}
          name="new_password"
          type="password"
          autocomplete="new-password"
          value={password}
          hint={firstRun.passwordRule}
          problem={of.problemOf('new_password')}
          autoFocus
        />
        <Field
          label={firstRun.repeatPassword}
          name="repeated"
          type="password"
          autocomplete="new-password"
          value={repeated}
          problem={differs.value ? firstRun.different : null}
        />
      </Form>
    </Gate>
  );
};

/**
 * Returns an empty message if the sign-in after setting the password was rejected, because the user can sign in
 * manually. Throws all other errors.
 */
const refusedOnly = (error: unknown): string => {
  if (error instanceof Failure) return '';
  throw error;
};
