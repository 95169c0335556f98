import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { personText } from '../../parts/person.ts';
import { call } from '../../session/call.ts';
import { ROLE_NAMES, type RoleName } from '../../session/role-names.ts';
import { words } from '../../shell/language.ts';
import { roleOptions } from './invite.tsx';

export interface RoleDrawerProps {
  user: Schemas['User'];
  onClose: () => void;
  onChanged: () => void;
}

/** Changes a person's role. */
export const RoleDrawer = ({ user, onClose, onChanged }: RoleDrawerProps): JSX.Element => {
  const role = useSignal<RoleName>(ROLE_NAMES.find((name) => name === user.role) ?? 'viewer');
  const of = useSubmit();
  const says = words.value.people;
  const send = async (): Promise<void> => {
    await call('PATCH /v1/users/{user_id}', { params: { user_id: user.id }, body: { role: role.value } });
    onChanged();
    onClose();
  };
  return (
    <Drawer title={personText(user)} onClose={onClose}>
      <Form submit={words.value.common.save} of={of} onSubmit={send} onCancel={onClose}>
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
