import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { CopyLine } from '../../../parts/copy-line.tsx';
import { Drawer } from '../../../parts/overlays/drawer.tsx';
import { SelectField } from '../../../parts/form/select-field.tsx';
import { Field } from '../../../parts/form/field.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';
import { useFirstFocus } from '../use-first-focus.ts';
import { ScopeField } from './scope-field.tsx';
import { addressOf, MODES, type Mode, type Subscriber } from './filter.ts';

/** What the drawer is opened for. */
export type DrawerTask =
  | { kind: 'add' }
  /**
   * sends the confirmation again. The user has to type the whole address, because the console only shows a part of it
   */
  | { kind: 'ask again'; subscriber: Subscriber }
  | { kind: 'scope'; subscriber: Subscriber }
  /** shows the secret of a webhook once */
  | { kind: 'secret'; secret: string };

export interface SubscriberDrawerProps {
  page_id: string;
  doing: DrawerTask;
  onDone: (text: string) => void;
  onSecret: (secret: string) => void;
  onClose: () => void;
}

export const SubscriberDrawer = (props: SubscriberDrawerProps): JSX.Element => {
  const { doing, onClose } = props;
  const { subscribers: says, pageSettings } = words.value;
  const titles = { add: says.addTitle, 'ask again': says.askAgain, scope: says.editScope, secret: says.secret };
  return (
    <Drawer title={titles[doing.kind]} onClose={onClose}>
      {doing.kind === 'secret' ? (
        <>
          <p>{says.secretText}</p>
          <CopyLine label={says.secret} text={doing.secret} />
          <p class="actions">
            <button type="button" class="button primary" onClick={onClose}>
              {pageSettings.passwords.done}
            </button>
          </p>
        </>
      ) : doing.kind === 'scope' ? (
        <ScopeForm {...props} subscriber={doing.subscriber} />
      ) : (
        <AddForm {...props} again={doing.kind === 'ask again' ? doing.subscriber : null} />
      )}
    </Drawer>
  );
};

const ScopeForm = ({
  page_id,
  subscriber,
  onDone,
  onClose,
}: SubscriberDrawerProps & { subscriber: Subscriber }): JSX.Element => {
  const scope = useSignal<readonly string[]>(subscriber.component_ids ?? []);
  const of = useSubmit();
  const { common } = words.value;
  const save = async (): Promise<void> => {
    const params = { page_id, subscriber_id: subscriber.id };
    const body = { component_ids: scope.value.length === 0 ? null : scope.value };
    await call('PATCH /v1/pages/{page_id}/subscribers/{subscriber_id}', { params, body });
    onDone(common.saved);
    onClose();
  };
  return (
    <Form submit={common.save} of={of} onSubmit={save} onCancel={onClose}>
      <p>
        <bdi>{addressOf(subscriber)}</bdi>
      </p>
      <ScopeField page_id={page_id} value={scope} problem={of.problemOf('component_ids')} />
    </Form>
  );
};

interface AddFormProps extends SubscriberDrawerProps {
  /** the subscriber to whom the confirmation is sent again; null: a new subscriber is added */
  again: Subscriber | null;
}

const AddForm = ({ page_id, again, onDone, onSecret, onClose }: AddFormProps): JSX.Element => {
  const mode = useSignal<Mode>(again?.mode ?? 'email');
  const [email, phone, endpoint] = [useSignal(''), useSignal(''), useSignal('')];
  const country = useSignal(again?.phone_country ?? '');
  const skips = useSignal(false);
  const scope = useSignal<readonly string[]>(again?.component_ids ?? []);
  const of = useSubmit();
  const first = useFirstFocus();
  const { subscribers: says, common } = words.value;
  const add = async (): Promise<void> => {
    const body = {
      mode: mode.value,
      ...(mode.value === 'email' && { email: email.value.trim() }),
      ...(mode.value === 'sms' && {
        phone_number: phone.value.trim(),
        phone_country: country.value.trim().toUpperCase(),
      }),
      ...(mode.value === 'webhook' && { endpoint: endpoint.value.trim() }),
      ...(again?.incident_id != null && { incident_id: again.incident_id }),
      ...(scope.value.length > 0 && { component_ids: scope.value }),
      ...(mode.value !== 'webhook' && skips.value && { skip_confirmation_notification: true }),
    };
    const added = await call('POST /v1/pages/{page_id}/subscribers', { params: { page_id }, body });
    onDone(added.has_pending_verification ? says.addedPending : says.added);
    if (added.secret === undefined) onClose();
    else onSecret(added.secret);
  };
  return (
    <Form submit={again ? says.askAgain : common.add} of={of} onSubmit={add} onCancel={onClose}>
      <p class="hint">{again ? says.askAgainText : says.addText}</p>
      {again ? (
        <p>
          <bdi>{addressOf(again)}</bdi>
        </p>
      ) : (
        <SelectField
          label={says.mode}
          name="mode"
          value={mode}
          options={MODES.map((value) => ({ value, label: says.modes[value] }))}
          problem={of.problemOf('mode')}
        />
      )}
      {mode.value === 'email' && (
        <Field
          label={says.email}
          name="email"
          type="email"
          value={email}
          problem={of.problemOf('email')}
          inputRef={first}
        />
      )}
      {mode.value === 'sms' && (
        <>
          <Field
            label={says.phone}
            name="phone_number"
            value={phone}
            problem={of.problemOf('phone_number')}
            placeholder="+49 151 23456789"
          />
          <Field
            label={says.country}
            name="phone_country"
            value={country}
            hint={says.countryHint}
            problem={of.problemOf('phone_country')}
            maxLength={2}
          />
        </>
      )}
      {mode.value === 'webhook' && (
        <Field
          label={says.endpoint}
          name="endpoint"
          type="url"
          value={endpoint}
          hint={says.endpointHint}
          problem={of.problemOf('endpoint')}
          placeholder="https://hooks.example.com/status"
        />
      )}
      {!again && mode.value !== 'webhook' && (
        <Checkbox label={says.skipConfirmation} name="skip" value={skips} hint={says.skipConfirmationHint} />
      )}
      {again?.incident_id == null && (
        <ScopeField page_id={page_id} value={scope} problem={of.problemOf('component_ids')} />
      )}
    </Form>
  );
};
