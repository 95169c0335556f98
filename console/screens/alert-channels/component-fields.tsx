import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { FailureLine } from '../../parts/failure-line.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import type { FieldBasics } from '../../parts/form/field-frame.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { words } from '../../shell/language.ts';

interface NamedProps extends FieldBasics {
  /** the chosen id; empty: none */
  value: Signal<string>;
  /** loads the options */
  load: (signal: AbortSignal) => Promise<readonly { id: string; name: string }[]>;
  inputs: readonly unknown[];
  onChoose?: () => void;
}

/** A field for choosing a resource by name. A chosen resource that no longer exists is shown by its id. */
const NamedChoice = ({ load, inputs, ...props }: NamedProps): JSX.Element => {
  const { loaded, again } = useLoaded(load, inputs);
  if (loaded.status === 'failed') return <FailureLine failure={loaded.failure} again={again} />;
  const all = loaded.status === 'loaded' ? loaded.value : [];
  const { value } = props.value;
  const isKnown = value === '' || all.some(({ id }) => id === value);
  const options = [
    { value: '', label: words.value.alertChannels.choose },
    ...all.map(({ id, name }) => ({ value: id, label: name })),
    ...(isKnown ? [] : [{ value, label: value }]),
  ];
  return <SelectField {...props} options={options} />;
};

export const PageField = (props: FieldBasics & { value: Signal<string>; component: Signal<string> }): JSX.Element => {
  const { component, ...basics } = props;
  return (
    <NamedChoice
      {...basics}
      inputs={[]}
      onChoose={() => {
        component.value = '';
      }}
      load={async (signal) => {
        const pages: { id: string; name: string }[] = [];
        for (let page = 1; ; page++) {
          const answer = await call('GET /v1/pages', { query: { page, page_size: 100 } }, { signal });
          pages.push(...answer.pages);
          if (!answer.pagination.has_next) return pages;
        }
      }}
    />
  );
};

/** A field for choosing a component of a page. Groups are not offered, because they have no status of their own. */
export const ComponentField = (props: FieldBasics & { value: Signal<string>; page: Signal<string> }): JSX.Element => {
  const { page, ...basics } = props;
  const page_id = page.value;
  return (
    <NamedChoice
      {...basics}
      inputs={[page_id]}
      load={async (signal) => {
        if (page_id === '') return [];
        const all = await call('GET /v1/pages/{page_id}/components', { params: { page_id } }, { signal });
        return all.filter(({ group }) => !group);
      }}
    />
  );
};
