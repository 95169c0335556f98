import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { AnswerOf } from '../../api/request.ts';
import { StatePill } from '../../../views/status/state.tsx';
import { CopyLine } from '../../parts/copy-line.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { QrCode } from './qr-code.tsx';
import { Username } from './username.tsx';

type SettingUp = AnswerOf<'POST /v1/users/totp'>;

type Step =
  | { step: 'none' }
  | { step: 'password' }
  | { step: 'code'; setting: SettingUp }
  | { step: 'codes'; codes: readonly string[] }
  | { step: 'off' };

export interface SecondFactorProps {
  email: string;
  isOn: boolean;
  onChanged: () => void;
}

/** Sets up the user's second factor, or removes it. */
export const SecondFactor = ({ email, isOn, onChanged }: SecondFactorProps): JSX.Element => {
  const step = useSignal<Step>({ step: 'none' });
  const says = words.value.account;
  const leave = (): void => {
    step.value = { step: 'none' };
  };
  const now = step.value;
  switch (now.step) {
    case 'none':
      return (
        <>
          <p class="state">
            <StatePill state={isOn ? 'operational' : 'none'} label={isOn ? says.factorOn : says.factorOff} />
          </p>
          <p class="hint">{isOn ? says.factorOnText : says.factorOffText}</p>
          <p>
            <button
              class="button"
              onClick={() => {
                step.value = { step: isOn ? 'off' : 'password' };
              }}
            >
              {isOn ? says.switchOff : says.setUp}
            </button>
          </p>
        </>
      );
    case 'password':
      return (
        <AskForPassword
          email={email}
          onCancel={leave}
          onSet={(setting) => {
            step.value = { step: 'code', setting };
          }}
        />
      );
    case 'code':
      return (
        <Confirm
          setting={now.setting}
          onCancel={leave}
          onConfirmed={(codes) => {
            step.value = { step: 'codes', codes };
          }}
        />
      );
    case 'codes':
      return (
        <RecoveryCodes
          codes={now.codes}
          onDone={() => {
            leave();
            onChanged();
          }}
        />
      );
    case 'off':
      return (
        <SwitchOff
          email={email}
          onCancel={leave}
          onOff={() => {
            leave();
            onChanged();
          }}
        />
      );
  }
};

const AskForPassword = ({
  email,
  onCancel,
  onSet,
}: {
  email: string;
  onCancel: () => void;
  onSet: (setting: SettingUp) => void;
}): JSX.Element => {
  const password = useSignal('');
  const of = useSubmit();
  const says = words.value.account;
  const send = async (): Promise<void> => {
    onSet(await call('POST /v1/users/totp', { body: { password: password.value } }));
  };
  return (
    <Form submit={says.next} of={of} onSubmit={send} onCancel={onCancel}>
      <Username email={email} />
      <Field
        label={words.value.signIn.password}
        name="password"
        type="password"
        autocomplete="current-password"
        value={password}
        problem={of.problemOf('password')}
        autoFocus
      />
    </Form>
  );
};

const Confirm = ({
  setting: { secret, otpauth_url },
  onCancel,
  onConfirmed,
}: {
  setting: SettingUp;
  onCancel: () => void;
  onConfirmed: (codes: readonly string[]) => void;
}): JSX.Element => {
  const code = useSignal('');
  const of = useSubmit();
  const says = words.value.account;
  const send = async (): Promise<void> => {
    const { recovery_codes } = await call('POST /v1/users/totp/confirm', { body: { code: code.value.trim() } });
    onConfirmed(recovery_codes);
  };
  return (
    <>
      <p>{says.scan}</p>
      <QrCode text={otpauth_url} label={says.qrCode} />
      <p class="hint">{says.orType}</p>
      <CopyLine text={secret.replace(/(.{4})(?=.)/g, '$1 ')} label={says.secret} />
      <Form submit={says.confirm} of={of} onSubmit={send} onCancel={onCancel}>
        <Field
          label={words.value.signIn.code}
          name="code"
          autocomplete="one-time-code"
          inputMode="numeric"
          code
          value={code}
          hint={says.codeHint}
          problem={of.problemOf('code')}
          autoFocus
        />
      </Form>
    </>
  );
};

const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }): JSX.Element => {
  const says = words.value.account;
  return (
    <>
      <p class="notice" role="status">
        {says.codesText}
      </p>
      <CopyLine text={codes.join('\n')} label={says.codes} />
      <p>
        <button class="button primary" onClick={onDone}>
          {says.codesKept}
        </button>
      </p>
    </>
  );
};

const SwitchOff = ({
  email,
  onCancel,
  onOff,
}: {
  email: string;
  onCancel: () => void;
  onOff: () => void;
}): JSX.Element => {
  const password = useSignal('');
  const code = useSignal('');
  const of = useSubmit();
  const says = words.value.account;
  const send = async (): Promise<void> => {
    await call('DELETE /v1/users/totp', { body: { password: password.value, code: code.value.trim() } });
    onOff();
  };
  return (
    <Form submit={says.switchOff} danger of={of} onSubmit={send} onCancel={onCancel}>
      <Username email={email} />
      <Field
        label={words.value.signIn.password}
        name="password"
        type="password"
        autocomplete="current-password"
        value={password}
        problem={of.problemOf('password')}
        autoFocus
      />
      <Field
        label={words.value.signIn.code}
        name="code"
        autocomplete="one-time-code"
        code
        value={code}
        hint={says.anyCodeHint}
        problem={of.problemOf('code')}
      />
    </Form>
  );
};
