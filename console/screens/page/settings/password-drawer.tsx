import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../../api/openapi.d.ts';
import { CopyLine } from '../../../parts/copy-line.tsx';
import { Drawer } from '../../../parts/overlays/drawer.tsx';
import { Field } from '../../../parts/form/field.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { MomentField } from '../../../parts/form/moment-field.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';
import { useFirstFocus } from '../use-first-focus.ts';
import { generatedPassword } from './password.ts';

export type PagePassword = Schemas['PagePassword'];

export interface PasswordDrawerProps {
  page_id: string;
  /** the password to change; null: adds a new one */
  stored: PagePassword | null;
  onSaved: () => void;
  onClose: () => void;
}

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** Adds or changes a password of a page. A newly set password is shown once. */
export const PasswordDrawer = ({ page_id, stored, onSaved, onClose }: PasswordDrawerProps): JSX.Element => {
  const set = useSignal<string | null>(null);
  const { pageSettings } = words.value;
  const says = pageSettings.passwords;
  return (
    <Drawer title={set.value !== null ? says.shownOnce : stored ? says.edit : says.add} onClose={onClose}>
      {set.value === null ? (
        <PasswordForm
          page_id={page_id}
          stored={stored}
          onClose={onClose}
          onSaved={(password) => {
            onSaved();
            if (password === '') onClose();
            else set.value = password;
          }}
        />
      ) : (
        <>
          <p>{says.shownOnceText}</p>
          <CopyLine label={says.password} text={set.value} />
          <p class="actions">
            <button type="button" class="button primary" onClick={onClose}>
              {says.done}
            </button>
          </p>
        </>
      )}
    </Drawer>
  );
};

interface PasswordFormProps extends Omit<PasswordDrawerProps, 'onSaved'> {
  /** called with the new password, or with an empty text if the password is unchanged */
  onSaved: (password: string) => void;
}

const PasswordForm = ({ page_id, stored, onSaved, onClose }: PasswordFormProps): JSX.Element => {
  const name = useSignal(stored?.name ?? '');
  const password = useSignal('');
  const hint = useSignal(stored?.password_hint ?? '');
  const expires = useSignal(stored?.expires_at ?? null);
  const active = useSignal(stored?.active ?? true);
  const of = useSubmit();
  const first = useFirstFocus();
  const { pageSettings, common } = words.value;
  const says = pageSettings.passwords;
  const save = async (): Promise<void> => {
    const body = {
      name: name.value,
      password_hint: hint.value.trim() === '' ? null : hint.value,
      // Times in requests must have a time zone designator.
      expires_at: expires.value === null ? null : `${expires.value}Z`,
      active: active.value,
    };
    if (stored) {
      const params = { page_id, password_id: stored.id };
      const changed = { ...body, ...(password.value !== '' && { password: password.value }) };
      await call('PATCH /v1/pages/{page_id}/passwords/{password_id}', { params, body: changed });
    } else {
      const params = { page_id };
      await call('POST /v1/pages/{page_id}/passwords', { params, body: { ...body, password: password.value } });
    }
    onSaved(password.value);
  };
  return (
    <Form submit={stored ? common.save : common.add} of={of} onSubmit={save} onCancel={onClose}>
      <Field
        label={common.name}
        name="name"
        value={name}
        hint={says.nameHint}
        problem={of.problemOf('name')}
        maxLength={100}
        inputRef={first}
      />
      <div class="with-button">
        <Field
          label={stored ? says.newPassword : says.password}
          name="password"
          type="password"
          autocomplete="new-password"
          value={password}
          hint={stored ? says.newPasswordHint : says.rule}
          problem={of.problemOf('password')}
          optional={stored !== null}
          code
        />
        <button
          type="button"
          class="button"
          onClick={() => {
            password.value = generatedPassword(random);
          }}
        >
          {says.generate}
        </button>
      </div>
      <Field
        label={says.hint}
        name="password_hint"
        value={hint}
        hint={says.hintHint}
        problem={of.problemOf('password_hint')}
        optional
      />
      <MomentField
        label={says.expires}
        name="expires_at"
        value={expires}
        hint={says.expiresHint}
        problem={of.problemOf('expires_at')}
        optional
      />
      <Checkbox label={says.active} name="active" value={active} hint={says.activeHint} />
    </Form>
  );
};
