import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { isPrivateRegion } from '../../parts/region-text.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { operatesService } from '../../session/session.ts';
import { words } from '../../shell/language.ts';
import type { CreatedToken } from './token.tsx';

/** Value of the option for a new private location. No region has an empty id. */
const NEW = '';

export interface NewRunnerProps {
  /** id of the initially chosen region; null: a new private location is chosen */
  region: string | null;
  onClose: () => void;
  onMade: (made: CreatedToken) => void;
}

/** Asks for the name and location of a new runner. */
export const NewRunner = ({ region, onClose, onMade }: NewRunnerProps): JSX.Element => {
  const name = useSignal('');
  const where = useSignal(region ?? NEW);
  const of = useSubmit();
  const { loaded } = useLoaded((signal) => call('GET /v1/checks/get-regions', {}, { signal }), []);
  const { common, runners: says } = words.value;
  const regions = loaded.status === 'loaded' ? loaded.value.regions : [];
  const options = [
    { value: NEW, label: says.newLocation },
    ...regions.flatMap(({ id, display_name }) => {
      if (isPrivateRegion(id)) return [{ value: id, label: says.inLocation(display_name) }];
      return operatesService.value ? [{ value: id, label: says.inPublic(display_name) }] : [];
    }),
  ];
  const isPublic = where.value !== NEW && !isPrivateRegion(where.value);
  const send = async (): Promise<void> => {
    const body = { name: name.value.trim(), ...(where.value !== NEW && { region: where.value }) };
    const { token = '', ...runner } = await call('POST /v1/runners', { body });
    onMade({ name: runner.name, token, isRotated: false });
  };
  return (
    <Drawer title={says.make} onClose={onClose}>
      <Form submit={common.create} of={of} onSubmit={send} onCancel={onClose}>
        <Field
          label={common.name}
          name="name"
          value={name}
          hint={says.nameHint}
          problem={of.problemOf('name')}
          autoFocus
        />
        <SelectField
          label={says.where}
          name="region"
          value={where}
          options={options}
          hint={isPublic ? says.publicHint : says.privateHint}
          problem={of.problemOf('region')}
        />
      </Form>
    </Drawer>
  );
};
