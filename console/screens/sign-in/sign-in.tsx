import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import { sentenceOf } from '../../parts/failure-panel.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Gate } from '../../parts/gate.tsx';
import { Link } from '../../parts/link.tsx';
import { signIn, signInByCode } from '../../session/session.ts';
import { words } from '../../shell/language.ts';

/**
 * Asks for e-mail address and password, and then for a code if the user has a second factor. After the sign-in, the
 * requested screen is shown.
 */
export const SignIn = ({ ended }: { ended: boolean }): JSX.Element => {
  const challenge = useSignal<string | null>(null);
  return challenge.value === null ? (
    <ByPassword ended={ended} challenged={(text) => (challenge.value = text)} />
  ) : (
    <ByCode challenge={challenge.value} startOver={() => (challenge.value = null)} />
  );
};

/** Returns the error message for a failed sign-in. @param wrong message for a response with status 401 */
const problemOf = (error: unknown, wrong: string): string => {
  if (!(error instanceof Failure)) throw error;
  return error.status === 401 ? wrong : sentenceOf(error);
};

const ByPassword = ({ ended, challenged }: { ended: boolean; challenged: (text: string) => void }): JSX.Element => {
  const email = useSignal('');
  const password = useSignal('');
  const problem = useSignal<string | null>(null);
  const { title, submit, wrong, ...says } = words.value.signIn;
  const send = async (): Promise<void> => {
    problem.value = null;
    try {
      const challenge = await signIn(email.value, password.value);
      if (challenge !== null) challenged(challenge);
    } catch (error) {
      problem.value = problemOf(error, wrong);
    }
  };
  return (
    <Gate title={title}>
      {ended && problem.value === null && (
        <p class="notice" role="status">
          {says.ended}
        </p>
      )}
      <Form wide submit={submit} problem={problem.value} onSubmit={send}>
        <Field label={says.email} name="email" type="email" autocomplete="username" value={email} autoFocus />
        <Field label={says.password} name="password" type="password" autocomplete="current-password" value={password} />
      </Form>
      <p class="forgotten">
        <Link to="/forgotten">{says.forgotten}</Link>
      </p>
    </Gate>
  );
};

const ByCode = ({ challenge, startOver }: { challenge: string; startOver: () => void }): JSX.Element => {
  const code = useSignal('');
  const problem = useSignal<string | null>(null);
  const { codeTitle, codeText, code: label, wrongCode, submit, startOver: startOverLabel } = words.value.signIn;
  const send = async (): Promise<void> => {
    problem.value = null;
    try {
      await signInByCode(challenge, code.value.trim());
    } catch (error) {
      problem.value = problemOf(error, wrongCode);
      code.value = '';
    }
  };
  return (
    <Gate title={codeTitle}>
      <p>{codeText}</p>
      <Form wide submit={submit} problem={problem.value} onSubmit={send}>
        <Field label={label} name="code" autocomplete="one-time-code" code value={code} autoFocus />
      </Form>
      <button class="button quiet wide" onClick={startOver}>
        {startOverLabel}
      </button>
    </Gate>
  );
};
