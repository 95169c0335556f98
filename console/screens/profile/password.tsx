import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { Saved } from './names.tsx';
import { Username } from './username.tsx';

/** Changes the user's own password. The service checks the strength of the new password. */
export const Password = ({ email }: { email: string }): JSX.Element => {
  const old = useSignal('');
  const next = useSignal('');
  const repeated = useSignal('');
  const differs = useSignal(false);
  const saved = useSignal(false);
  const of = useSubmit();
  const { account: says, firstRun } = words.value;
  const send = async (): Promise<void> => {
    saved.value = false;
    differs.value = next.value !== repeated.value;
    if (differs.value) return;
    await call('POST /v1/users/change-password', { body: { old_password: old.value, new_password: next.value } });
    old.value = next.value = repeated.value = '';
    saved.value = true;
  };
  return (
    <Form
      submit={says.changePassword}
      of={of}
      onSubmit={send}
      buttons={<Saved text={saved.value ? says.passwordChanged : ''} />}
    >
      <Username email={email} />
      <Field
        label={says.oldPassword}
        name="old_password"
        type="password"
        autocomplete="current-password"
        value={old}
        problem={of.problemOf('old_password')}
      />
      <Field
        label={says.newPassword}
        name="new_password"
        type="password"
        autocomplete="new-password"
        value={next}
        hint={firstRun.passwordRule}
        problem={of.problemOf('new_password')}
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
  );
};
