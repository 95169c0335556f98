import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import { sentenceOf } from '../../parts/failure-panel.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Gate } from '../../parts/gate.tsx';
import { createFirstUser, leaveFirstRun, mayCreateFirstUser } from '../../session/session.ts';
import { words } from '../../shell/language.ts';

/** Sets up a new service: asks for the admin key, then creates the first user. */
export const FirstRun = (): JSX.Element => {
  const key = useSignal<string | null>(null);
  return key.value === null ? (
    <AskForKey accepted={(given) => (key.value = given)} />
  ) : (
    <AskForUser adminKey={key.value} otherKey={() => (key.value = null)} />
  );
};

/** The file in the data folder that contains the admin key (service/embedded/data-directory.ts). */
const KEY_FILE = 'admin-api-key';
const KEY_VARIABLE = 'ADMIN_API_KEY';

const AskForKey = ({ accepted }: { accepted: (key: string) => void }): JSX.Element => {
  const key = useSignal('');
  const problem = useSignal<string | null>(null);
  const { title, keyText, key: label, continue: submit, wrongKey, noAdminKey } = words.value.firstRun;
  const send = async (): Promise<void> => {
    problem.value = null;
    const given = key.value.trim();
    try {
      if (await mayCreateFirstUser(given)) accepted(given);
      else problem.value = noAdminKey;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problem.value = error.status === 401 ? wrongKey : sentenceOf(error);
    }
  };
  return (
    <Gate title={title}>
      <p>{keyText(KEY_FILE, KEY_VARIABLE)}</p>
      <Form wide submit={submit} problem={null} onSubmit={send}>
        <Field
          label={label}
          name="key"
          type="password"
          autocomplete="off"
          code
          value={key}
          problem={problem.value}
          autoFocus
        />
      </Form>
    </Gate>
  );
};

interface Problems {
  whole?: string;
  email?: string;
  password?: string;
  repeated?: string;
}

/** Returns the error messages for the submitted user. */
const problemsOf = (error: unknown): Problems => {
  if (!(error instanceof Failure)) throw error;
  const { emailRefused, emailTaken, passwordRefused } = words.value.firstRun;
  const { email, password } = error.fields;
  if (!email && !password) return { whole: sentenceOf(error) };
  return {
    ...(email && { email: error.status === 409 ? emailTaken : emailRefused }),
    ...(password && { password: passwordRefused }),
  };
};

const AskForUser = ({ adminKey, otherKey }: { adminKey: string; otherKey: () => void }): JSX.Element => {
  const email = useSignal('');
  const password = useSignal('');
  const repeated = useSignal('');
  const problems = useSignal<Problems>({});
  const says = words.value.firstRun;
  const send = async (): Promise<void> => {
    problems.value = password.value === repeated.value ? {} : { repeated: says.different };
    if (problems.value.repeated !== undefined) return;
    try {
      await createFirstUser(adminKey, email.value, password.value);
    } catch (error) {
      const isThere = error instanceof Failure && error.status === 409 && !error.fields['email'];
      if (isThere) leaveFirstRun();
      else problems.value = problemsOf(error);
    }
  };
  return (
    <Gate title={says.userTitle}>
      <p>{says.userText}</p>
      <Form wide submit={says.submit} problem={problems.value.whole ?? null} onSubmit={send}>
        <Field
          label={words.value.signIn.email}
          name="email"
          type="email"
          autocomplete="username"
          value={email}
          problem={problems.value.email ?? null}
          autoFocus
        />
        <Field
          label={words.value.signIn.password}
          name="password"
          type="password"
          autocomplete="new-password"
          value={password}
          hint={says.passwordRule}
          problem={problems.value.password ?? null}
        />
        <Field
          label={says.repeatPassword}
          name="repeated"
          type="password"
          autocomplete="new-password"
          value={repeated}
          problem={problems.value.repeated ?? null}
        />
      </Form>
      <button class="button quiet wide" onClick={otherKey}>
        {says.otherKey}
      </button>
    </Gate>
  );
};
