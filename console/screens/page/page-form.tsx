import type { ComponentChildren, JSX } from 'preact';
import { Form } from '../../parts/form/form.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import type { PageForm } from './use-page-form.ts';

/** Returns whether the user may change pages; otherwise the fields are disabled and there is no button. */
export const mayChange = (): boolean => may('PATCH /v1/pages/{page_id}');

/** The frame of a page form: its button, and conflicts with other users. */
export const PageFormFrame = ({ form, children }: { form: PageForm; children: ComponentChildren }): JSX.Element => {
  const { common } = words.value;
  if (!mayChange()) return <form class="read-only">{children}</form>;
  return (
    <Form submit={common.save} of={form.of} onSubmit={form.save}>
      {form.conflict.value && <ConflictNotice onTheirs={form.loadTheirs} onMine={form.saveOver} />}
      {children}
    </Form>
  );
};
