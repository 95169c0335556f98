import type { JSX } from 'preact';
import { useLoaded } from '../../session/loaded.ts';
import type { Params } from '../../router/match.ts';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import type { Rule } from './draft.ts';
import { RuleFacts } from './facts.tsx';
import { RuleForm } from './form.tsx';

/**
 * The screen of a rule: a form, or only the settings for users who are not allowed to change it. If the path has no id,
 * the form creates a rule.
 */
const RuleScreen = ({ params }: { params: Params }): JSX.Element => {
  const rule_id = params['rule_id'] ?? null;
  const { loaded, again } = useLoaded<Rule | null>(
    (signal) =>
      rule_id === null
        ? Promise.resolve(null)
        : call('GET /v1/alerts/rules/{rule_id}', { params: { rule_id } }, { signal }),
    [rule_id],
  );
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') {
    if (loaded.failure.status === 404) return <NotFoundPanel to="/alerts/rules" label={words.value.alertRules.title} />;
    return <FailurePanel failure={loaded.failure} again={again} />;
  }
  const rule = loaded.value;
  if (rule && !may('PUT /v1/alerts/rules/{rule_id}')) return <RuleFacts rule={rule} />;
  return (
    <RuleForm
      key={`${rule?.id ?? 'new'} ${rule?.revision ?? 0}`}
      rule={rule}
      query={currentLocation.peek().query}
      onLoad={again}
    />
  );
};
export default RuleScreen;
