import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';
import type { Rule } from './draft.ts';

/** All rules. */
export const RULES: LiveSource<readonly Rule[]> = {
  load: (signal) => call('GET /v1/alerts/rules', { query: { by_tag: true } }, { signal }),
  resources: ['alert_rule', 'alert_channel'],
  merge: () => null,
};

/**
 * Returns a source of rules: the rules for a tag, or the rules that watch a check, by the check's id or one of its
 * tags.
 */
export const rulesFor = (query: { check_id: string } | { tag: string }): LiveSource<readonly Rule[]> => ({
  ...RULES,
  load: (signal) => call('GET /v1/alerts/rules', { query: { ...query, by_tag: true } }, { signal }),
});
