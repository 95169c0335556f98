import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import type { Runner } from './source.ts';

export interface RenameDrawerProps {
  runner: Runner;
  onClose: () => void;
  onRenamed: (runner: Runner) => void;
}

/** Renames a runner. */
export const RenameDrawer = ({ runner, onClose, onRenamed }: RenameDrawerProps): JSX.Element => {
  const name = useSignal(runner.name);
  const of = useSubmit();
  const { common, runners: says } = words.value;
  const send = async (): Promise<void> => {
    const params = { runner_id: runner.id };
    // The request has no If-Match. With If-Match it would often fail, because the revision of a runner changes whenever
    // the runner connects.
    onRenamed(await call('PATCH /v1/runners/{runner_id}', { params, body: { name: name.value.trim() } }));
    onClose();
  };
  return (
    <Drawer title={runner.name} onClose={onClose}>
      <Form submit={common.save} of={of} onSubmit={send} onCancel={onClose}>
        <Field
          label={common.name}
          name="name"
          value={name}
          {...(runner.private && { hint: says.renameHint })}
          problem={of.problemOf('name')}
          autoFocus
        />
      </Form>
    </Drawer>
  );
};
