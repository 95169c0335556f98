import type { ComponentChildren, JSX } from 'preact';
import { words } from '../../shell/language.ts';

/** What every field of a form has. */
export interface FieldBasics {
  label: string;
  /** of the element: as the API names the field */
  name: string;
  /** what is wrong with the value; null: nothing is known to be */
  problem?: string | null;
  /** what the value may be */
  hint?: string;
  /** whether it may be left empty, which its label then says */
  optional?: boolean;
  disabled?: boolean;
}

/** The ids of what describes an element: attributes of the element in a frame. */
export const described = (
  id: string,
  { hint, problem = null }: FieldBasics,
): { 'aria-invalid': boolean; 'aria-describedby': string | undefined } => {
  const ids = [hint !== undefined && `${id}-hint`, problem !== null && `${id}-problem`].filter(Boolean).join(' ');
  return { 'aria-invalid': problem !== null, 'aria-describedby': ids || undefined };
};

/** The hint of a field and its problem, with the ids that {@link described} refers to. */
export const Below = ({ field: { hint, problem = null }, id }: { field: FieldBasics; id: string }): JSX.Element => (
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

export interface FrameProps {
  field: FieldBasics;
  /** of the element that the label names */
  id: string;
  /** whether the label names a group of elements (`role="group"`), not one */
  group?: boolean;
  children: ComponentChildren;
}

/** What is around a field: its label above it, its hint and what is wrong with it below. */
export const Frame = ({ field, id, group = false, children }: FrameProps): JSX.Element => {
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
      aria-describedby={described(id, field)['aria-describedby']}
    >
      <span id={`${id}-label`} class="label">
        {name}
      </span>
      {children}
      <Below field={field} id={id} />
    </div>
  ) : (
    <div class="field">
      <label for={id}>{name}</label>
      {children}
      <Below field={field} id={id} />
    </div>
  );
};
