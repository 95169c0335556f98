import type { ComponentChildren, JSX } from 'preact';
import { words } from '../shell/language.ts';
import { isUnknown } from './past.ts';

export interface KnownProps {
  /** name of the API's field */
  name: string;
  value: unknown;
  /** shows the value */
  children: ComponentChildren;
}

/** Shows a value, or "not known" if it can't be derived for the shown past state. */
export const Known = ({ name, value, children }: KnownProps): JSX.Element =>
  isUnknown(name, value) ? <span class="fine">{words.value.past.notKnown}</span> : <>{children}</>;
