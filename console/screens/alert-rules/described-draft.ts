import type { Schemas } from '../../api/openapi.d.ts';
import type { RuleValues } from './draft.ts';
import type { DescribedRule } from './sentence-facts.ts';

type Channel = Schemas['AlertChannel'];

/** Converts the form values of a rule to the input of its sentences. Empty number fields count as 1. */
export const describedDraft = (
  values: RuleValues,
  checkName: string | null,
  channels: readonly Channel[],
): DescribedRule & { channels: readonly Channel[] } => {
  const { response_time, count, threshold, window_seconds, regions } = values;
  return {
    check_name: checkName,
    tag: values.about === 'tag' ? values.tag : null,
    condition: values.condition,
    condition_parameters: {
      response_time: response_time ?? 1,
      count: count ?? 1,
      threshold: threshold ?? 1,
      window_seconds: window_seconds ?? 1,
    },
    multi_region_mode: values.multi_region_mode,
    multi_region_threshold: { count: regions ?? 1 },
    severity: values.severity,
    cooldown_period: values.cooldown_period ?? 0,
    auto_resolve: values.auto_resolve,
    confirmations: values.confirmations ?? 1,
    recovery_confirmations: values.recovery_confirmations ?? 1,
    channels: channels.filter(({ id }) => values.channel_ids.includes(id)),
  };
};
