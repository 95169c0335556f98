import type { ComponentChildren, JSX } from 'preact';
import { words } from '../../shell/language.ts';

/** Properties of every form field. */
export interface FieldBasics {
  label: string;
  /** name of the element: the API's field name */
  name: string;
  /** the error message; null: none */
  problem?: string | null;
  /** explains valid values */
  hint?: string;
  /** whether the field may stay empty; the label says so */
  optional?: boolean;
  disabled?: boolean;
}

/** Returns the ARIA attributes with which a field's element refers to its hint and its error message. */
export const describingIds = (
  id: string,
  { hint, problem = null }: FieldBasics,
): { 'aria-invalid': boolean; 'aria-describedby': string | undefined } => {
  const ids = [hint !== undefined && `${id}-hint`, problem !== null && `${id}-problem`].filter(Boolean).join(' ');
  return { 'aria-invalid': problem !== null, 'aria-describedby': ids || undefined };
};

/** The hint and the error message of a field, with the ids that {@link describingIds} refers to. */
export const FieldHints = ({
  field: { hint, problem = null },
  id,
}: {
  field: FieldBasics;
  id: string;
}): JSX.Element => (
  <>
    {hint !== undefined && (
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    )}
    {problem !== null && (
      <p id={`${id}-problem`} class="problem">
        {problem}
      </p>
    )}
  </>
);

export interface FieldFrameProps {
  field: FieldBasics;
  /** id of the labelled element */
  id: string;
  /** whether the label is for a group of elements (`role="group"`) */
  group?: boolean;
  children: ComponentChildren;
}

/** The frame of a field: the label above it, the hint and the error message below it. */
export const FieldFrame = ({ field, id, group = false, children }: FieldFrameProps): JSX.Element => {
  const { label, optional = false } = field;
  const name = (
    <>
      {label}
      {optional && <span class="optional"> {words.value.common.optional}</span>}
    </>
  );
  return group ? (
    <div
      class="field"
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={describingIds(id, field)['aria-describedby']}
    >
      <span id={`${id}-label`} class="label">
        {name}
      </span>
      {children}
      <FieldHints field={field} id={id} />
    </div>
  ) : (
    <div class="field">
      <label for={id}>{name}</label>
      {children}
      <FieldHints field={field} id={id} />
    </div>
  );
};
