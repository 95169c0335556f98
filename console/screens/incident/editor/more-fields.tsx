import type { JSX } from 'preact';
import { SelectField } from '../../../parts/form/select-field.tsx';
import { MomentField } from '../../../parts/form/moment-field.tsx';
import { Section } from '../../../parts/form/section.tsx';
import type { Submit } from '../../../parts/form/use-submit.ts';
import { words } from '../../../shell/language.ts';
import { IMPACTS, type Kind } from './draft.ts';
import type { DraftFields } from './use-draft.ts';

export interface MoreFieldsProps {
  fields: DraftFields;
  of: Submit;
  isNew: boolean;
  kind: Kind;
}

/** Rarely used fields: an explicit impact, and a time in the past. */
export const MoreFields = ({ fields, of, isNew, kind }: MoreFieldsProps): JSX.Element => {
  const { incidents: says } = words.value;
  return (
    <Section legend={says.further} folded>
      {isNew && (
        <SelectField
          label={says.impact}
          name="impact"
          value={fields.impact}
          options={[
            { value: '', label: says.impactFollows },
            ...(kind === 'maintenance' ? ([...IMPACTS, 'maintenance'] as const) : IMPACTS).map((value) => ({
              value,
              label: says.impacts[value],
            })),
          ]}
          problem={of.problemOf('impact')}
        />
      )}
      {kind === 'incident' && (
        <MomentField
          label={says.happenedAt}
          name="created_at"
          value={fields.created_at}
          hint={says.happenedAtHint}
          problem={of.problemOf('created_at')}
          optional
        />
      )}
    </Section>
  );
};
