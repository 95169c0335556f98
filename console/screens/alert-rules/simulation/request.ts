import type { RequestOf } from '../../../api/request.ts';
import { bodyOf, type RuleValues } from '../draft.ts';
import type { SimulatedPeriod } from './period.ts';

type Body = RequestOf<'POST /v1/alerts/rules/simulate'>['body'];

/** The fields of a rule that do not affect its alerts. */
const IGNORED: ReadonlySet<string> = new Set(['name', 'severity', 'channel_ids', 'enabled', 'muted_until']);

/** Returns the fields of the form on which the alerts of the rule depend. */
export const simulatedFields = (values: RuleValues): Record<string, unknown> =>
  Object.fromEntries(Object.entries(bodyOf(values)).filter(([field]) => !IGNORED.has(field)));

/** Returns the body of a simulation. Empty times are omitted, so that the API reports them with all other errors. */
export const simulationBody = (values: RuleValues, { from, to }: SimulatedPeriod): Body =>
  ({
    ...simulatedFields(values),
    ...(from !== null && { from: `${from}Z` }),
    ...(to !== null && { to: `${to}Z` }),
  }) as unknown as Body;
