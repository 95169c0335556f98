import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { ListField } from '../../parts/form/list-field.tsx';
import { MomentField } from '../../parts/form/moment-field.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { call } from '../../session/call.ts';
import { roleText } from '../../session/role-names.ts';
import { user } from '../../session/session.ts';
import { words } from '../../shell/language.ts';
import { expiryOf, EXPIRIES, rolesUpTo, type Expiry } from './drafts.ts';
import type { CreatedKey } from './token.tsx';

/** A drawer that asks for the name and the rights of a new key. */
export const NewKey = ({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (made: CreatedKey) => void;
}): JSX.Element => {
  const roles = rolesUpTo(user.value?.role ?? 'viewer');
  const name = useSignal('');
  const role = useSignal(roles[0] ?? 'viewer');
  const expiry = useSignal<Expiry>('never');
  const until = useSignal<string | null>(null);
  const allowed = useSignal<readonly string[]>([]);
  const of = useSubmit();
  const says = words.value.keys;
  const send = async (): Promise<void> => {
    const body = {
      name: name.value,
      role: role.value,
      expires_at: expiryOf(expiry.value, until.value, Date.now()),
      allowed_ips: allowed.value,
    };
    const { token = '', ...key } = await call('POST /v1/api-keys', { body });
    onMade({ name: key.name, token });
  };
  return (
    <Drawer title={says.make} onClose={onClose}>
      <Form submit={words.value.common.create} of={of} onSubmit={send} onCancel={onClose}>
        <Field
          label={words.value.common.name}
          name="name"
          value={name}
          hint={says.nameHint}
          problem={of.problemOf('name')}
          autoFocus
        />
        <SelectField
          label={words.value.people.role}
          name="role"
          value={role}
          options={roles.map((value) => ({ value, label: roleText(value) }))}
          hint={words.value.people.roleTexts[role.value]}
          problem={of.problemOf('role')}
        />
        <SelectField
          label={says.expires}
          name="expiry"
          value={expiry}
          options={EXPIRIES.map((value) => ({ value, label: says.expiries[value] }))}
          problem={expiry.value === 'at' ? null : of.problemOf('expires_at')}
        />
        {expiry.value === 'at' && (
          <MomentField label={says.until} name="expires_at" value={until} problem={of.problemOf('expires_at')} />
        )}
        <ListField
          label={says.allowedIps}
          name="allowed_ips"
          optional
          value={allowed}
          hint={says.allowedIpsHint}
          placeholder="192.0.2.7, 2001:db8::/32"
          problem={of.problemOf('allowed_ips') ?? firstOf(of, allowed.value.length)}
        />
      </Form>
    </Drawer>
  );
};

/** Returns the first error message for one of the IP addresses, or null if there is none. */
const firstOf = (of: ReturnType<typeof useSubmit>, count: number): string | null => {
  const problems = Array.from({ length: count }, (_, index) => of.problemOf(`allowed_ips.${index}`));
  return problems.find((problem) => problem !== null) ?? null;
};
