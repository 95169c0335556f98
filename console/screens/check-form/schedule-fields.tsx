import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { SelectField } from '../../parts/form/select-field.tsx';
import { DurationField } from '../../parts/form/duration-field.tsx';
import { NumberField } from '../../parts/form/number-field.tsx';
import { Section } from '../../parts/form/section.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { words } from '../../shell/language.ts';
import { canRun, regionNamed, type Choices } from './choices.ts';
import type { Draft, Parallel } from './draft.ts';
import { fieldsOf, mostTimeout } from './fields.ts';
import { ParameterField } from './parameter-field.tsx';
import { problemUnder } from './problems.ts';
import { Checkboxes } from './checkboxes.tsx';
import { unitText } from './units.ts';
import type { PartProps } from './target-fields.tsx';

const PARALLELS: readonly Parallel[] = ['turn', 'all', 'random_n'];

/**
 * Returns the options for regions. Each has the name that the check uses, which may be an alias. An unknown region of
 * the check remains an option until the user removes it.
 */
const regionOptions = (draft: Draft, { regions }: Choices): { value: string; label: string; note?: string }[] => {
  const chosen = draft.regions.value;
  const type = draft.type.value;
  const known = regions.map((region) => ({
    value: chosen.find((name) => regionNamed([region], name)) ?? region.id,
    label: region.display_name,
    ...(!canRun(region, type) && { note: words.value.checkForm.unavailable }),
  }));
  const unknown = chosen.filter((name) => !regionNamed(regions, name));
  return [...known, ...unknown.map((name) => ({ value: name, label: name, note: words.value.checkForm.unavailable }))];
};

/** The fields for schedule and regions. */
export const ScheduleAndRegionFields = ({ draft, of, choices }: PartProps & { choices: Choices }): JSX.Element => {
  const says = words.value.checkForm;
  const parallel = 'parameters.multi_region_execution';
  const isParallel = useComputed(() => draft.regions.value.length > 1 || draft.parallel.value !== 'turn');
  const second = unitText('seconds');
  return (
    <Section legend={says.sections.where}>
      <DurationField label={says.interval} name="interval" value={draft.interval} problem={of.problemOf('interval')} />
      <NumberField
        label={says.timeout}
        name="timeout"
        value={draft.timeout}
        min={1}
        max={mostTimeout(draft.type.value)}
        step="any"
        {...(second !== undefined && { unit: second })}
        problem={of.problemOf('timeout')}
      />
      {choices.regions.length > 0 && (
        <Checkboxes
          label={says.regions}
          name="parameters.regions"
          hint={says.regionsHint}
          value={draft.regions}
          problem={problemUnder(of, 'parameters.regions')}
          options={regionOptions(draft, choices)}
        />
      )}
      {isParallel.value && (
        <SelectField
          label={says.parallel}
          name={parallel}
          value={draft.parallel}
          problem={of.problemOf(parallel)}
          options={PARALLELS.map((one) => ({ value: one, label: says.parallels[one] }))}
        />
      )}
      {draft.parallel.value === 'random_n' && (
        <NumberField
          label={says.count}
          name={`${parallel}.count`}
          min={1}
          value={draft.count}
          problem={of.problemOf(`${parallel}.count`)}
        />
      )}
      {fieldsOf(draft.type.value, 'where').map((field) => (
        <ParameterField key={field.path} field={field} draft={draft} of={of} />
      ))}
      <Checkbox label={says.active} name="active" value={draft.active} problem={of.problemOf('active')} />
    </Section>
  );
};
