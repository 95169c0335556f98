import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import { TextArea } from '../../parts/form/text-area.tsx';
import { Conflict } from '../../parts/form/conflict.tsx';
import { useDraft, valuesOf } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { ManagedHint } from '../../parts/managed.tsx';
import { navigate } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import type { Group } from '../groups/source.ts';
import { Swatch } from '../groups/swatch.tsx';

/** Colours that are distinguishable in both themes. */
const COLORS = ['#2458D3', '#16935A', '#B38200', '#C04A08', '#B3131B', '#8A3FC7', '#0E7C86', '#56606C'];

const NEW = { name: '', description: '', color: '', active: true };

/** The group form. @param group null: a new group */
export const GroupForm = ({ group, onReload }: { group: Group | null; onReload: () => void }): JSX.Element => {
  const first = group
    ? { name: group.name, description: group.description ?? '', color: group.color ?? '', active: group.active }
    : NEW;
  const { draft, changed } = useDraft(first, []);
  const of = useSubmit();
  const conflict = useSignal(false);
  const saved = useUnsaved(changed);
  const { groups: says, common } = words.value;
  const write = (isForced: boolean) => {
    const { name, description, color, active } = valuesOf(draft);
    const body = {
      name: name.trim(),
      description: description.trim() || null,
      color: color.trim() || null,
      active,
    };
    if (!group) return call('POST /v1/check-groups', { body });
    const headers = isForced ? {} : { 'If-Match': `"${group.revision}"` };
    return call('PATCH /v1/check-groups/{group_id}', { params: { group_id: group.id }, body }, { headers });
  };
  const save = async (isForced = false): Promise<void> => {
    conflict.value = false;
    try {
      await write(isForced);
      saved();
      navigate('/groups');
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 412) throw error;
      conflict.value = true;
    }
  };
  return (
    <Form
      submit={group ? common.save : common.create}
      of={of}
      onSubmit={save}
      onCancel={() => {
        navigate('/groups');
      }}
    >
      {conflict.value && (
        <Conflict
          onReload={() => {
            saved();
            onReload();
          }}
          onSave={() => void of.send(() => save(true))}
        />
      )}
      <ManagedHint of={group} />
      <div class="section">
        <div class="fields">
          <Field label={common.name} name="name" value={draft.name} problem={of.problemOf('name')} autoFocus={!group} />
          <TextArea
            label={common.description}
            name="description"
            value={draft.description}
            problem={of.problemOf('description')}
            rows={2}
            optional
          />
          <Colors color={draft.color} problem={of.problemOf('color')} />
          <Checkbox label={says.active} name="active" value={draft.active} hint={says.activeHint} />
        </div>
      </div>
    </Form>
  );
};

/** Buttons for predefined colours, and a field for any other colour. */
const Colors = ({ color, problem }: { color: Signal<string>; problem: string | null }): JSX.Element => {
  const { groups: says } = words.value;
  return (
    <>
      <fieldset class="colors">
        <legend>{says.color}</legend>
        {['', ...COLORS].map((one) => (
          <label key={one} title={one || says.noColor}>
            <input
              type="radio"
              name="swatch"
              aria-label={one || says.noColor}
              checked={color.value.toUpperCase() === one}
              onChange={() => {
                color.value = one;
              }}
            />
            <Swatch color={one || null} />
          </label>
        ))}
      </fieldset>
      <Field
        label={says.otherColor}
        name="color"
        value={color}
        problem={problem}
        placeholder="#1A7F37"
        maxLength={7}
        code
        optional
      />
    </>
  );
};
