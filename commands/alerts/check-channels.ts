import { alertRuleDecider, createAlertRule, updateAlertRule } from '../../domain/alert-rule/rule.ts';
import { derivedId } from '../../domain/identity.ts';
import { stepContext, type CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { createAlertRule as createRule } from './alert-rules.ts';

/** Returns the rule that is created for a check without rules. It fires on a failed run. */
const ruleOf = (check_id: string, channel_ids: string[]) => ({
  name: 'Down',
  check_id,
  condition: 'check_failed' as const,
  channel_ids,
});

/**
 * Sets the alert channels of a check on each of its rules. If the check has no rule, one is created. The id of the new
 * rule is derived from the check, so concurrent requests create only one rule.
 *
 * @param ruleIds the rules of the check; deleted ones are skipped
 * @param channelIds ids of existing channels, at least one
 */
export const setCheckChannels =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (
    checkId: string,
    ruleIds: readonly string[],
    channelIds: readonly string[],
    context: CommandContext,
  ): Promise<void> => {
    const channel_ids = [...channelIds];
    for (const id of ruleIds) {
      await handle(
        id,
        alertRuleDecider,
        (rule) => (rule.status === 'active' ? updateAlertRule(rule, { channel_ids }, context.now) : []),
        stepContext(context, `channels of rule ${id}`),
      );
    }
    if (ruleIds.length > 0) return;
    const id = derivedId(`rule of check ${checkId}`);
    const { state } = await handle(
      id,
      alertRuleDecider,
      (rule) => {
        if (rule.status === 'absent') {
          return createAlertRule(rule, id, context.organizationId, ruleOf(checkId, channel_ids), context.now);
        }
        const isOfCheck = rule.status === 'active' && rule.fields.check_id === checkId;
        return isOfCheck ? updateAlertRule(rule, { channel_ids }, context.now) : [];
      },
      stepContext(context, 'the first rule'),
    );
    // A user has deleted the rule with the derived id, or has moved the rule to another check. So create a rule with
    // another id.
    if (state.status !== 'active' || state.fields.check_id !== checkId) {
      await createRule({ handle })(ruleOf(checkId, channel_ids), stepContext(context, 'another rule'));
    }
  };
