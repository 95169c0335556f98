import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { Schemas } from '../../api/openapi.d.ts';
import { call } from '../../session/call.ts';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';

export interface CheckFieldProps extends FieldBasics {
  /** id of the check; null: none is chosen */
  value: Signal<string | null>;
  /** name of the chosen check; null: none is chosen, or the name is not loaded yet */
  chosen: Signal<string | null>;
}

/** Debounce of the check search, in milliseconds. */
const REST_MS = 200;
const MOST_OFFERED = 8;

type Offered = Pick<Schemas['OverviewRow'], 'id' | 'name' | 'type'>;

/** A field for choosing a check by a part of its name or target (ARIA 1.2: combobox). */
export const CheckField = (props: CheckFieldProps): JSX.Element => {
  const { name, value, chosen, optional = false } = props;
  const id = useId();
  const typed = useSignal<string | null>(null);
  const offered = useSignal<readonly Offered[]>([]);
  const active = useSignal(0);
  const isOpen = typed.value !== null && offered.value.length > 0;

  useEffect(() => {
    const check_id = value.value;
    if (check_id === null || chosen.value !== null) return;
    const leaving = new AbortController();
    call('GET /v1/checks/{check_id}', { params: { check_id } }, { signal: leaving.signal }).then(
      (check) => {
        chosen.value = check.name;
      },
      // Ignore a failure to load the name. If the check does not exist, the API reports this when the form is
      // submitted.
      () => undefined,
    );
    return () => {
      leaving.abort();
    };
  }, [value.value]);
  useEffect(() => {
    const text = typed.value;
    if (text === null) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      const query = { page_size: MOST_OFFERED, sort: 'name' as const, ...(text.trim() !== '' && { q: text.trim() }) };
      call('GET /v1/checks/overview', { query }, { signal: leaving.signal }).then(
        ({ checks }) => {
          offered.value = checks;
          active.value = 0;
        },
        () => undefined,
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [typed.value]);

  const close = (): void => {
    typed.value = null;
    offered.value = [];
  };
  const choose = (check: Offered | undefined): void => {
    if (!check) return;
    value.value = check.id;
    chosen.value = check.name;
    close();
  };
  const press = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const count = offered.value.length;
    if (event.key === 'ArrowDown') active.value = (active.value + 1) % count;
    else if (event.key === 'ArrowUp') active.value = (active.value + count - 1) % count;
    else if (event.key === 'Enter') choose(offered.value[active.value]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <FieldFrame field={props} id={id}>
      <div class="combobox">
        <div class="input">
          <input
            id={id}
            name={name}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={`${id}-offered`}
            aria-autocomplete="list"
            aria-activedescendant={isOpen ? `${id}-${active.value}` : undefined}
            value={typed.value ?? chosen.value ?? ''}
            onFocus={({ currentTarget }) => {
              currentTarget.select();
            }}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
            onKeyDown={press}
            onBlur={close}
            required={!optional}
            disabled={props.disabled ?? false}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            {...describingIds(id, props)}
          />
        </div>
        <ul id={`${id}-offered`} role="listbox" aria-label={props.label} hidden={!isOpen}>
          {offered.value.map((check, index) => (
            <li
              key={check.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active.value}
              // Without this call, the click would take the focus from the field.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(check);
              }}
            >
              <bdi>{check.name}</bdi> <span class="fine">{check.type}</span>
            </li>
          ))}
        </ul>
      </div>
    </FieldFrame>
  );
};
