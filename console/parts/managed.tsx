import type { JSX } from 'preact';
import { words } from '../shell/language.ts';

interface ManagedProps {
  /** the object; null: a new object */
  of: { managed_by?: string | null } | null;
}

/** A badge for objects that a program maintains from files. The tooltip names the program. */
export const ManagedBadge = ({ of }: ManagedProps): JSX.Element | null =>
  of?.managed_by == null ? null : (
    <span class="managed" title={of.managed_by}>
      {words.value.common.managed}
    </span>
  );

/** Warns in forms that the program which maintains the object from files overwrites other changes. */
export const ManagedHint = ({ of }: ManagedProps): JSX.Element | null =>
  of?.managed_by == null ? null : <p class="notice">{words.value.common.managedHint}</p>;
