import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { request } from '../../api/request.ts';
import { CopyLine } from '../../parts/copy-line.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Gate } from '../../parts/gate.tsx';
import { Link } from '../../parts/link.tsx';
import { words } from '../../shell/language.ts';

/** Sends a password reset link to a user. */
const Forgotten = (): JSX.Element => {
  const email = useSignal('');
  const sent = useSignal<string | null>(null);
  const of = useSubmit();
  const { links: says, signIn } = words.value;
  const send = async (): Promise<void> => {
    const given = email.value.trim();
    await request('POST /v1/users/request-password-reset', { body: { email: given } });
    sent.value = given;
  };
  const command = `uptrail user reset-password ${sent.value !== null && /^[\w.+-]+@[\w.-]+$/.test(sent.value) ? sent.value : 'you@example.com'}`;
  return (
    <Gate title={says.forgottenTitle}>
      {sent.value === null ? (
        <>
          <p>{says.forgottenText}</p>
          <Form wide submit={says.sendLink} of={of} onSubmit={send}>
            <Field
              label={signIn.email}
              name="email"
              type="email"
              autocomplete="username"
              value={email}
              problem={of.problemOf('email')}
              autoFocus
            />
          </Form>
        </>
      ) : (
        <>
          <p role="status">{says.sent}</p>
          <p class="fine">{says.notArrived}</p>
          <CopyLine text={command} label={says.command} />
        </>
      )}
      <p class="forgotten">
        <Link to="/">{says.toSignIn}</Link>
      </p>
    </Gate>
  );
};
export default Forgotten;
