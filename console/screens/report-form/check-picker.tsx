import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Field } from '../../parts/form/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import type { ChosenCheck } from './draft.ts';

const REST_MS = 300;
const MOST_OFFERED = 10;

/** Searches for checks whose name or target contains a text, and returns the first few. */
const useFound = (text: string): readonly ChosenCheck[] => {
  const found = useSignal<readonly ChosenCheck[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      const query = { page_size: MOST_OFFERED, sort: 'name' as const, ...(text !== '' && { q: text }) };
      call('GET /v1/checks/overview', { query }, { signal: leaving.signal }).then(
        ({ checks }) => {
          found.value = checks.map(({ id, name }) => ({ id, name }));
        },
        // Ignore the error: the next keystroke searches again.
        () => undefined,
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return found.value;
};

/** A field for choosing checks. It finds checks by text, and lists the chosen ones. */
export const CheckPicker = (props: { chosen: Signal<readonly ChosenCheck[]>; problem: string | null }): JSX.Element => {
  const { chosen, problem } = props;
  const text = useSignal('');
  const found = useFound(text.value.trim().slice(0, 100));
  const { reports: says, common } = words.value;
  const offered = found.filter(({ id }) => !chosen.value.some((one) => one.id === id));
  return (
    <div class="check-picker">
      <Field label={says.form.findChecks} name="check_ids" type="search" value={text} problem={problem} optional />
      <ul class="offered">
        {offered.map((check) => (
          <li key={check.id}>
            <button
              type="button"
              class="button quiet"
              aria-label={`${common.add}: ${check.name}`}
              onClick={() => {
                chosen.value = [...chosen.value, check];
              }}
            >
              <Icon name="add" /> <bdi>{check.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {chosen.value.length > 0 && (
        <>
          <p class="label">{says.form.chosen}</p>
          <ul class="picked">
            {chosen.value.map((check) => (
              <li key={check.id} class="chip">
                <bdi>{check.name}</bdi>
                <button
                  type="button"
                  aria-label={`${common.remove}: ${check.name}`}
                  onClick={() => {
                    chosen.value = chosen.value.filter((one) => one !== check);
                  }}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
};
