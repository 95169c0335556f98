import type { ComponentChildren, JSX } from 'preact';
import { Form } from '../../parts/form/form.tsx';
import { ManagedHint } from '../../parts/managed.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import type { PageForm } from './use-page-form.ts';

/** Returns whether the user is allowed to change pages. If not, forms show disabled fields and no button. */
export const mayChange = (): boolean => may('PATCH /v1/pages/{page_id}');

/** The frame of a page form, with the submit button and the message about conflicts with other users. */
export const PageFormFrame = ({ form, children }: { form: PageForm; children: ComponentChildren }): JSX.Element => {
  const { common } = words.value;
  if (!mayChange()) return <form class="read-only">{children}</form>;
  return (
    <Form submit={common.save} of={form.of} onSubmit={form.save}>
      <ManagedHint of={form.base} />
      {form.conflict.value && <ConflictNotice onTheirs={form.loadTheirs} onMine={form.saveOver} />}
      {children}
    </Form>
  );
};
