import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { language, words } from '../../shell/language.ts';
import { sentenceFactsOf, type DescribedRule } from './sentence-facts.ts';

export interface SentencesProps {
  rule: DescribedRule & { channels: readonly Pick<Schemas['AlertChannel'], 'name'>[] };
  /** whether to show only the first sentence: when the rule alerts, and whom it notifies */
  brief?: boolean;
}

/** The sentences that describe a rule. */
export const Sentences = ({ rule, brief = false }: SentencesProps): JSX.Element => {
  const { sentences, moreChannels } = words.value.alertRules;
  const names = rule.channels.map(({ name }) => name);
  const all = sentences(sentenceFactsOf(rule, names, moreChannels, language.value));
  return <span class="sentences">{(brief ? all.slice(0, 1) : all).join(' ')}</span>;
};
