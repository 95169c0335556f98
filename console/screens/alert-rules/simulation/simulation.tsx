import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import { FailureLine } from '../../../parts/failure-line.tsx';
import type { FormDraft } from '../../../parts/form/draft.ts';
import { MomentField } from '../../../parts/form/moment-field.tsx';
import { SelectField } from '../../../parts/form/select-field.tsx';
import { useSubmit, type Submit } from '../../../parts/form/use-submit.ts';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';
import type { RuleValues } from '../draft.ts';
import { valuesOf } from '../../../parts/form/draft.ts';
import { PERIODS, periodUntil, type PeriodName, type SimulatedPeriod } from './period.ts';
import { simulatedFields, simulationBody } from './request.ts';
import { SimulationResult } from './result.tsx';

export interface SimulationProps {
  draft: FormDraft<RuleValues>;
  /** the submission of the rule's form, which shows errors about fields of the rule at these fields */
  of: Submit;
}

/** A finished simulation, with what was simulated. */
interface Done {
  result: Schemas['AlertSimulation'];
  period: { from: string; to: string };
  isOfTag: boolean;
  /** the simulated fields and period, to detect later changes */
  request: string;
}

const FIELDS_OF_PERIOD = ['from', 'to'];

/** Shows the alerts that the rule in the form would have raised. Requests nothing before the user presses the button. */
export const Simulation = ({ draft, of }: SimulationProps): JSX.Element => {
  const name = useSignal<PeriodName>('week');
  const from = useSignal<string | null>(null);
  const to = useSignal<string | null>(null);
  const done = useSignal<Done | null>(null);
  const own = useSubmit();
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const leaving = useRef(new AbortController());
  const { simulation: says } = words.value;
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => {
      controller.abort();
    };
  }, []);

  const currentRequest = (): string => {
    const chosen = name.value === 'custom' ? [from.value, to.value] : [];
    return JSON.stringify([simulatedFields(valuesOf(draft)), name.value, ...chosen]);
  };
  const choose = (next: PeriodName): void => {
    if (next === 'custom' || from.peek() !== null) return;
    const usual = periodUntil(next, Date.now());
    [from.value, to.value] = [usual.from, usual.to];
  };
  const run = async (): Promise<void> => {
    const values = valuesOf(draft);
    const request = currentRequest();
    const period: SimulatedPeriod =
      name.value === 'custom' ? { from: from.value, to: to.value } : periodUntil(name.value, Date.now());
    of.clear();
    await own.send(async () => {
      const { signal } = leaving.current;
      const body = simulationBody(values, period);
      const result = await call('POST /v1/alerts/rules/simulate', { body }, { signal }).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (result === null) return;
      const shown = { from: period.from ?? '', to: period.to ?? '' };
      done.value = { result, period: shown, isOfTag: values.about === 'tag', request };
    });
    const failure = own.failure.peek();
    if (failure) await showAtFields(failure, of);
    focusFirstProblem(panel.current);
  };
  const failure = own.failure.value;
  const hasFields = failure !== null && Object.keys(failure.fields).length > 0;
  const { problemOf } = own;
  const shown = done.value;
  return (
    <aside ref={panel} class="simulation" aria-labelledby={id}>
      <h2 id={id}>{says.title}</h2>
      <p class="hint">{says.text}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <SelectField
          label={says.period}
          name="period"
          value={name}
          options={PERIODS.map((value) => ({ value, label: says.periods[value] }))}
          onChoose={choose}
        />
        {name.value === 'custom' && (
          <div class="simulation-period">
            <MomentField label={says.from} name="from" value={from} problem={problemOf('from')} />
            <MomentField label={says.to} name="to" value={to} problem={problemOf('to')} />
          </div>
        )}
        {name.value !== 'custom' &&
          FIELDS_OF_PERIOD.map((field) => problemOf(field)).map(
            (problem) =>
              problem !== null && (
                <p key={problem} class="problem" role="alert">
                  {problem}
                </p>
              ),
          )}
        <button class="button" aria-disabled={own.busy.value}>
          {own.busy.value ? says.running : says.run}
        </button>
      </form>
      {failure && !hasFields && <FailureLine failure={failure} />}
      {hasFields && isOfForm(failure) && (
        <p class="problem" role="alert">
          {says.invalid}
        </p>
      )}
      {shown && (
        <>
          {shown.request !== currentRequest() && (
            <p class="notice" role="status">
              {says.stale}
            </p>
          )}
          <SimulationResult key={shown.request} {...shown} />
        </>
      )}
    </aside>
  );
};

const isOfForm = ({ fields }: Failure): boolean =>
  Object.keys(fields).some((field) => !FIELDS_OF_PERIOD.includes(field));

/** Shows the errors about fields of the rule at these fields. */
const showAtFields = async (failure: Failure, of: Submit): Promise<void> => {
  if (!isOfForm(failure)) return;
  const { status, message, requestId, fields } = failure;
  const ofForm = Object.fromEntries(Object.entries(fields).filter(([field]) => !FIELDS_OF_PERIOD.includes(field)));
  await of.send(() => Promise.reject(new Failure(status, message, { requestId, fields: ofForm })));
};

/** Focuses the first field with an error, in the form of the rule or in the panel. */
const focusFirstProblem = (panel: HTMLElement | null): void => {
  requestAnimationFrame(() => {
    const field = panel?.parentElement?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const folded = field?.closest('details');
    if (folded) folded.open = true;
    field?.focus();
  });
};
