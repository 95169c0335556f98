import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';

/** A collapsed section whose content is rendered when the user first opens it. */
export const Folded = ({ title, children }: { title: string; children: () => ComponentChildren }): JSX.Element => {
  const open = useSignal(false);
  return (
    <details
      class="folded"
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open;
      }}
    >
      <summary>{title}</summary>
      {open.value && children()}
    </details>
  );
};
