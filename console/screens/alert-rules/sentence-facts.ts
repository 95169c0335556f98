import type { RuleSentenceFacts } from '../../../messages/console-words/words/alert-rules.ts';
import { numberFormat } from '../../parts/number-format.ts';
import { durationOf } from '../../parts/times/since.tsx';
import { timeText } from '../checks/figures.ts';
import type { Rule } from './draft.ts';

/** Maximum number of channels named in a sentence. Of further channels, only the number is shown. */
const MOST_NAMED = 3;

/** Isolates user text from the direction of the surrounding sentence (Unicode UAX 9). */
const isolated = (text: string): string => `\u2068${text}\u2069`;

const listed = (names: readonly string[], more: (count: number) => string, locale: string): string => {
  const named = names.slice(0, MOST_NAMED).map(isolated);
  const rest = names.length - named.length;
  return new Intl.ListFormat(locale).format(rest > 0 ? [...named, more(rest)] : named);
};

/** The parts of a rule that its sentences describe. */
export type DescribedRule = Pick<
  Rule,
  | 'tag'
  | 'condition'
  | 'condition_parameters'
  | 'multi_region_mode'
  | 'multi_region_threshold'
  | 'severity'
  | 'cooldown_period'
  | 'auto_resolve'
  | 'confirmations'
  | 'recovery_confirmations'
> & { check_name: string | null };

/**
 * Returns the values that the sentences about a rule contain, formatted for a language.
 *
 * @param more formats the number of channels that are not named
 */
export const sentenceFactsOf = (
  rule: DescribedRule,
  channels: readonly string[],
  more: (count: number) => string,
  locale: string,
): RuleSentenceFacts => {
  const { response_time = null, count = 1, threshold = 100, window_seconds = 86_400 } = rule.condition_parameters;
  return {
    check: rule.tag === null ? isolated(rule.check_name ?? '…') : null,
    tag: isolated(rule.tag ?? ''),
    condition: rule.condition,
    limit: timeText(response_time, locale),
    count,
    threshold: `${numberFormat(locale, { maximumFractionDigits: 6 }).format(threshold)} %`,
    window: durationOf(window_seconds, locale),
    mode: rule.multi_region_mode,
    regions: rule.multi_region_threshold?.count ?? 1,
    confirmations: rule.confirmations,
    recoveries: rule.recovery_confirmations,
    autoResolve: rule.auto_resolve,
    severity: rule.severity,
    channels: channels.length === 0 ? '' : listed(channels, more, locale),
    cooldown: rule.cooldown_period === 0 ? null : durationOf(rule.cooldown_period, locale),
  };
};
