import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import { Icon } from '../icon.tsx';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';
import { withAddedItems } from './split-list.ts';

export interface ListFieldProps extends FieldBasics {
  value: Signal<readonly string[]>;
  placeholder?: string;
  /** suggestions while the user types */
  offered?: readonly string[];
}

/**
 * A field for several short texts. Enter, a comma or leaving the field adds the typed text to the list. Backspace
 * removes the last text of the list.
 */
export const ListField = (props: ListFieldProps): JSX.Element => {
  const { name, value, placeholder, offered = [], disabled = false } = props;
  const id = useId();
  const typed = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const add = (): void => {
    if (typed.value.trim() !== '') value.value = withAddedItems(value.value, typed.value);
    typed.value = '';
  };
  const remove = (one: string): void => {
    value.value = value.value.filter((other) => other !== one);
    input.current?.focus();
  };
  return (
    <FieldFrame field={props} id={id}>
      <div class="input chips">
        {value.value.map((one) => (
          <span key={one} class="chip">
            <bdi>{one}</bdi>
            {!disabled && (
              <button
                type="button"
                aria-label={`${words.value.common.remove}: ${one}`}
                onClick={() => {
                  remove(one);
                }}
              >
                <Icon name="close" />
              </button>
            )}
          </span>
        ))}
        <input
          id={id}
          ref={input}
          name={name}
          value={typed.value}
          list={offered.length > 0 ? `${id}-offered` : undefined}
          placeholder={value.value.length === 0 ? placeholder : undefined}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          disabled={disabled}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            if (typed.value.endsWith(',')) add();
          }}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed.value.trim() !== '' && !event.ctrlKey && !event.metaKey) {
              event.preventDefault();
              add();
            }
            const last = value.value.at(-1);
            if (event.key === 'Backspace' && typed.value === '' && last !== undefined) remove(last);
          }}
          {...describingIds(id, props)}
        />
        {offered.length > 0 && (
          <datalist id={`${id}-offered`}>
            {offered.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        )}
      </div>
    </FieldFrame>
  );
};
