import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { changeUser } from '../../session/session.ts';
import { words } from '../../shell/language.ts';

/** A form for the user's own first and last name. */
export const Names = ({ profile }: { profile: Schemas['Profile'] }): JSX.Element => {
  const kept = useSignal({ first: profile.first_name ?? '', last: profile.last_name ?? '' });
  const first = useSignal(kept.value.first);
  const last = useSignal(kept.value.last);
  const saved = useSignal(false);
  const of = useSubmit();
  const says = words.value.account;
  useUnsaved(first.value !== kept.value.first || last.value !== kept.value.last);
  const send = async (): Promise<void> => {
    saved.value = false;
    const body = { first_name: first.value.trim() || null, last_name: last.value.trim() || null };
    const user = await call('PATCH /v1/users/profile', { body });
    first.value = user.first_name ?? '';
    last.value = user.last_name ?? '';
    kept.value = { first: first.value, last: last.value };
    changeUser(user);
    saved.value = true;
  };
  return (
    <Form
      submit={words.value.common.save}
      of={of}
      onSubmit={send}
      buttons={<Saved text={saved.value ? words.value.common.saved : ''} />}
    >
      <Field
        label={says.firstName}
        name="first_name"
        autocomplete="given-name"
        optional
        value={first}
        problem={of.problemOf('first_name')}
      />
      <Field
        label={says.lastName}
        name="last_name"
        autocomplete="family-name"
        optional
        value={last}
        problem={of.problemOf('last_name')}
      />
    </Form>
  );
};

/** A confirmation next to a button. */
export const Saved = ({ text }: { text: string }): JSX.Element => (
  <span class="fine" role="status">
    {text}
  </span>
);
