import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { SelectField } from '../../../parts/form/select-field.tsx';
import { Field } from '../../../parts/form/field.tsx';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';

interface Option {
  value: string;
  label: string;
}

/** Maximum number of checks offered. Further checks can be found by searching. */
const MOST_OFFERED = 50;
/** Debounce of the check search, in milliseconds. */
const REST_MS = 250;

const found = async (q: string, signal: AbortSignal): Promise<Option[]> => {
  const query = { page_size: MOST_OFFERED, sort: 'name' as const, ...(q !== '' && { q }) };
  const { checks } = await call('GET /v1/checks/overview', { query }, { signal });
  return checks.map(({ id, name }) => ({ value: id, label: name }));
};

/** A field for choosing a check by a part of its name or URL. */
export const CheckPicker = ({ value, problem }: { value: Signal<string>; problem: string | null }): JSX.Element => {
  const text = useSignal('');
  const options = useSignal<readonly Option[] | null>(null);
  const chosen = useSignal<Option | null>(null);
  const { components: says } = words.value;
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(
      () => {
        found(text.value.trim(), leaving.signal).then(
          (next) => {
            options.value = next;
          },
          () => undefined,
        );
      },
      options.peek() === null ? 0 : REST_MS,
    );
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text.value]);
  // Loads the name of the chosen check, because the first results might not include it.
  useEffect(() => {
    const check_id = value.peek();
    if (check_id === '') return;
    const leaving = new AbortController();
    call('GET /v1/checks/{check_id}', { params: { check_id } }, { signal: leaving.signal }).then(
      ({ name }) => {
        chosen.value = { value: check_id, label: name };
      },
      () => undefined,
    );
    return () => {
      leaving.abort();
    };
  }, []);
  const offered = options.value ?? [];
  const isOffered = offered.some((option) => option.value === value.value);
  const current = value.value === '' || isOffered ? [] : [chosen.value ?? { value: value.value, label: value.value }];
  return (
    <>
      <Field label={says.findCheck} name="find_check" type="search" value={text} optional />
      <SelectField
        label={says.check}
        name="check_id"
        value={value}
        options={[...(value.value === '' ? [{ value: '', label: says.chooseCheck }] : []), ...current, ...offered]}
        problem={problem}
        onChoose={(id) => {
          chosen.value = offered.find((option) => option.value === id) ?? chosen.value;
        }}
        {...(options.value?.length === 0 && { hint: says.noCheckFound })}
      />
    </>
  );
};
