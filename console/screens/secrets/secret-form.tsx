import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { TextArea } from '../../parts/form/text-area.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { ManagedHint } from '../../parts/managed.tsx';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';

/** Creates a secret. */
export const SecretForm = ({ onDone }: { onDone: () => void }): JSX.Element => {
  const name = useSignal('');
  const value = useSignal('');
  const of = useSubmit();
  const { secrets: says, common } = words.value;
  const send = async (): Promise<void> => {
    await call('POST /v1/secrets', { body: { secret_name: name.value.trim(), secret_value: value.value } });
    onDone();
  };
  return (
    <Form submit={common.create} of={of} onSubmit={send}>
      <Field
        label={says.name}
        name="secret_name"
        code
        hint={says.nameHint}
        maxLength={100}
        value={name}
        problem={of.problemOf('secret_name')}
        autoFocus
      />
      <TextArea
        label={says.value}
        name="secret_value"
        code
        rows={3}
        hint={says.valueHint}
        value={value}
        problem={of.problemOf('secret_value')}
      />
    </Form>
  );
};

/** Replaces the value of a secret. */
export const ValueForm = ({ secret, onDone }: { secret: Schemas['Secret']; onDone: () => void }): JSX.Element => {
  const value = useSignal('');
  const of = useSubmit();
  const { secrets: says } = words.value;
  const send = async (): Promise<void> => {
    const params = { secret_id: secret.id };
    await call('PATCH /v1/secrets/{secret_id}', { params, body: { secret_value: value.value } });
    onDone();
  };
  return (
    <Form submit={says.replace} of={of} onSubmit={send}>
      <ManagedHint of={secret} />
      <p>{says.replaceText}</p>
      <TextArea
        label={says.newValue}
        name="secret_value"
        code
        rows={3}
        hint={says.valueHint}
        value={value}
        problem={of.problemOf('secret_value')}
        autoFocus
      />
    </Form>
  );
};
