import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import { Icon } from '../icon.tsx';
import { FieldFrame, type FieldBasics } from './field-frame.tsx';

/** A name and a value, such as a header. */
export interface Pair {
  name: string;
  value: string;
}

export interface PairsFieldProps extends FieldBasics {
  value: Signal<readonly Pair[]>;
  /** label of the names: `Header` */
  nameLabel: string;
  valueLabel: string;
}

/** A field for name-value pairs, one per row. */
export const PairsField = (props: PairsFieldProps): JSX.Element => {
  const { value, nameLabel, valueLabel, disabled = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { add, remove } = words.value.common;
  const set = (at: number, change: Partial<Pair>): void => {
    value.value = value.value.map((pair, index) => (index === at ? { ...pair, ...change } : pair));
  };
  /** Focuses the name field of a row after the row has been rendered. */
  const focus = (at: number): void => {
    requestAnimationFrame(() => box.current?.querySelectorAll<HTMLInputElement>('[data-name]')[at]?.focus());
  };
  return (
    <FieldFrame field={props} id={id} group>
      <div ref={box} class="pairs">
        {value.value.map((pair, index) => (
          <div key={index} class="pair">
            {(['name', 'value'] as const).map((part) => (
              <div key={part} class="input">
                <input
                  aria-label={`${part === 'name' ? nameLabel : valueLabel} ${index + 1}`}
                  data-name={part === 'name' || undefined}
                  class="code"
                  value={pair[part]}
                  autocomplete="off"
                  autocapitalize="none"
                  spellcheck={false}
                  disabled={disabled}
                  onInput={({ currentTarget }) => {
                    set(index, { [part]: currentTarget.value });
                  }}
                />
              </div>
            ))}
            <button
              type="button"
              class="icon-button"
              disabled={disabled}
              aria-label={`${remove}: ${pair.name || (index + 1).toString()}`}
              onClick={() => {
                value.value = value.value.filter((_, other) => other !== index);
                focus(Math.max(0, index - 1));
              }}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        <button
          type="button"
          class="button quiet"
          disabled={disabled}
          onClick={() => {
            value.value = [...value.value, { name: '', value: '' }];
            focus(value.value.length - 1);
          }}
        >
          <Icon name="add" /> {add}
        </button>
      </div>
    </FieldFrame>
  );
};
