import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Failure } from '../../../api/failure.ts';
import { Drawer } from '../../../parts/overlays/drawer.tsx';
import { TextArea } from '../../../parts/form/text-area.tsx';
import { SelectField } from '../../../parts/form/select-field.tsx';
import { Field } from '../../../parts/form/field.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { useSubmit, type Submit } from '../../../parts/form/use-submit.ts';
import { ManagedHint } from '../../../parts/managed.tsx';
import { useUnsaved } from '../../../router/unsaved.ts';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';
import { ConflictNotice } from '../conflict-notice.tsx';
import { useFirstFocus } from '../use-first-focus.ts';
import { CheckPicker } from './check-picker.tsx';
import { bodyOf, draftOf, WATCHES, type ComponentDraft, type Watch } from './draft.ts';
import { STATUSES, type Status } from './statuses.tsx';
import type { Component } from './tree.ts';
import { UptimeIntervals } from './uptime-intervals.tsx';

/** The component or group in the drawer. `component` is null for a new one. */
export interface EditedComponent {
  component: Component | null;
  group: boolean;
}

export interface ComponentDrawerProps {
  page_id: string;
  edited: EditedComponent;
  /** groups of the page */
  groups: readonly Component[];
  onSaved: (component: Component) => void;
  onClose: () => void;
}

type Signals = { readonly [Name in keyof ComponentDraft]: Signal<ComponentDraft[Name]> };

/** Returns a signal for each field of a draft. */
const useSignals = (draft: ComponentDraft): Signals => ({
  name: useSignal(draft.name),
  description: useSignal(draft.description),
  group_id: useSignal(draft.group_id),
  start_date: useSignal(draft.start_date),
  showcase: useSignal(draft.showcase),
  only_show_if_degraded: useSignal(draft.only_show_if_degraded),
  watch: useSignal<Watch>(draft.watch),
  check_id: useSignal(draft.check_id),
  check_tag: useSignal(draft.check_tag),
  show_response_times: useSignal(draft.show_response_times),
});

const valuesOf = (signals: Signals): ComponentDraft =>
  Object.fromEntries(
    Object.entries(signals).map(([name, signal]) => [name, signal.value]),
  ) as unknown as ComponentDraft;

/** Adds or edits a component or group. */
export const ComponentDrawer = ({ page_id, edited, groups, onSaved, onClose }: ComponentDrawerProps): JSX.Element => {
  const { component, group } = edited;
  const before = useRef(draftOf(component)).current;
  const draft = useSignals(before);
  const status = useSignal<Status>('operational');
  const conflict = useSignal(false);
  const of = useSubmit();
  const first = useFirstFocus();
  const { components: says, common } = words.value;
  const leave = useUnsaved(JSON.stringify(valuesOf(draft)) !== JSON.stringify(before));

  const store = async (headers: Readonly<Record<string, string>>): Promise<Component> => {
    const body = bodyOf(valuesOf(draft), group, component === null);
    if (component) {
      const params = { page_id, component_id: component.id };
      return call('PATCH /v1/pages/{page_id}/components/{component_id}', { params, body }, { headers });
    }
    const made = { ...body, ...(!group && { status: status.value }) };
    return call('POST /v1/pages/{page_id}/components', { params: { page_id }, body: made });
  };
  const save = async (isOver = false): Promise<void> => {
    const isGuarded = component !== null && !isOver;
    try {
      const saved = await store(isGuarded ? { 'If-Match': `"${component.revision}"` } : {});
      leave();
      onSaved(saved);
      onClose();
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 412) throw error;
      conflict.value = true;
    }
  };
  const titles = group ? [says.newGroup, says.editGroup] : [says.newComponent, says.editComponent];
  return (
    <Drawer title={(component ? titles[1] : titles[0]) ?? ''} onClose={onClose}>
      <Form submit={component ? common.save : common.add} of={of} onSubmit={save} onCancel={onClose}>
        <ManagedHint of={component} />
        {conflict.value && (
          <ConflictNotice
            onTheirs={onClose}
            onMine={() => {
              void of.send(() => save(true));
            }}
          />
        )}
        <Field
          label={common.name}
          name="name"
          value={draft.name}
          problem={of.problemOf('name')}
          maxLength={100}
          inputRef={first}
        />
        <TextArea
          label={common.description}
          name="description"
          value={draft.description}
          hint={says.descriptionHint}
          problem={of.problemOf('description')}
          rows={2}
          optional
        />
        {!group && (
          <SelectField
            label={says.group}
            name="group_id"
            value={draft.group_id}
            options={[
              { value: '', label: says.noGroup },
              ...groups.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            problem={of.problemOf('group_id')}
          />
        )}
        {!group && component === null && (
          <SelectField
            label={says.status}
            name="status"
            value={status}
            options={STATUSES.map((value) => ({ value, label: says.statuses[value] }))}
            problem={of.problemOf('status')}
          />
        )}
        {!group && <WatchFields draft={draft} of={of} />}
        {!group && <Checkbox label={says.showcase} name="showcase" value={draft.showcase} hint={says.showcaseHint} />}
        <Checkbox
          label={says.onlyIfDegraded}
          name="only_show_if_degraded"
          value={draft.only_show_if_degraded}
          hint={says.onlyIfDegradedHint}
        />
        <Field
          label={says.startDate}
          name="start_date"
          type="date"
          value={draft.start_date}
          hint={says.startDateHint}
          problem={of.problemOf('start_date')}
          optional
        />
      </Form>
      {component && !group && <UptimeIntervals page_id={page_id} component_id={component.id} />}
    </Drawer>
  );
};

/** The fields for the check or the tag that determines the state of the component. */
const WatchFields = ({ draft, of }: { draft: Signals; of: Submit }): JSX.Element => {
  const { components: says } = words.value;
  const watch = draft.watch.value;
  return (
    <>
      <SelectField
        label={says.watch}
        name="watch"
        value={draft.watch}
        options={WATCHES.map((value) => ({ value, label: says.watchedBy[value] }))}
        hint={says.watchHint}
      />
      {watch === 'check' && <CheckPicker value={draft.check_id} problem={of.problemOf('check_id')} />}
      {watch === 'tag' && (
        <Field
          label={says.tag}
          name="check_tag"
          value={draft.check_tag}
          hint={says.tagHint}
          problem={of.problemOf('check_tag')}
          placeholder="team:shop"
          maxLength={50}
        />
      )}
      {watch !== 'none' && (
        <Checkbox
          label={says.responseTimes}
          name="show_response_times"
          value={draft.show_response_times}
          hint={says.responseTimesHint}
          problem={of.problemOf('show_response_times')}
        />
      )}
    </>
  );
};
