import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { CopyLine } from '../../parts/copy-line.tsx';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { SERVICE_URL } from '../../urls.ts';
import { call } from '../../session/call.ts';
import { ROLE_NAMES, roleText, type RoleName } from '../../session/role-names.ts';
import { words } from '../../shell/language.ts';

/**
 * A sent invitation. `url`: link of the invitation if the service sends no e-mail; null: the link was sent by e-mail.
 */
export interface SentInvitation {
  email: string;
  url: string | null;
}

export const roleOptions = () => ROLE_NAMES.map((value) => ({ value, label: roleText(value) }));

/** A drawer that asks for the e-mail address and the role of a person to invite. */
export const Invite = ({
  onClose,
  onInvited,
}: {
  onClose: () => void;
  onInvited: (invited: SentInvitation) => void;
}): JSX.Element => {
  const email = useSignal('');
  const role = useSignal<RoleName>('viewer');
  const of = useSubmit();
  const says = words.value.people;
  const send = async (): Promise<void> => {
    const given = email.value.trim();
    const { invitation_url: url = null } = await call('POST /v1/users/invite', {
      body: { email: given, role: role.value },
    });
    onInvited({ email: given, url });
  };
  return (
    <Drawer title={says.inviteTitle} onClose={onClose}>
      <p class="hint">{says.inviteText}</p>
      <Form submit={says.invite} of={of} onSubmit={send} onCancel={onClose}>
        <Field
          label={words.value.signIn.email}
          name="email"
          type="email"
          value={email}
          problem={of.problemOf('email')}
          autoFocus
        />
        <SelectField
          label={says.role}
          name="role"
          value={role}
          options={roleOptions()}
          hint={says.roleTexts[role.value]}
          problem={of.problemOf('role')}
        />
      </Form>
    </Drawer>
  );
};

/** Shows the link of an invitation if the service sends no e-mail. The link can't be shown again. */
export const LinkDrawer = ({ invited, onClose }: { invited: SentInvitation; onClose: () => void }): JSX.Element => {
  const says = words.value.people;
  // If PUBLIC_URL is not set, the API returns only a path.
  const url = new URL((invited.url ?? '').replace(/^\//, ''), SERVICE_URL).href;
  return (
    <Drawer title={says.linkTitle} onClose={onClose}>
      <p>
        {says.linkText} <bdi>{invited.email}</bdi>
      </p>
      <CopyLine text={url} label={says.linkTitle} />
      <div class="actions">
        <button class="button primary" onClick={onClose}>
          {words.value.close}
        </button>
      </div>
    </Drawer>
  );
};
