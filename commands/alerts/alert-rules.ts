import * as decide from '../../domain/alert-rule/rule.ts';
import type { AlertRuleInput, NewAlertRule } from '../../domain/alert-rule/settings.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Handling = Pick<CommandDependencies, 'handle'>;

/** Creates a rule. @returns its id */
export const createAlertRule =
  ({ handle }: Handling) =>
  async (input: NewAlertRule, context: CommandContext): Promise<string> => {
    const id = context.newId();
    await handle(
      id,
      decide.alertRuleDecider,
      (rule) => decide.createAlertRule(rule, id, context.organizationId, input, context.now),
      context,
    );
    return id;
  };

/** Changes a rule. Absent fields keep their value. @throws NotFound */
export const updateAlertRule =
  ({ handle }: Handling) =>
  async (ruleId: string, input: AlertRuleInput, context: CommandContext): Promise<void> => {
    await handle(ruleId, decide.alertRuleDecider, (rule) => decide.updateAlertRule(rule, input, context.now), context);
  };

/** Deletes a rule. @throws NotFound */
export const deleteAlertRule =
  ({ handle }: Handling) =>
  async (ruleId: string, context: CommandContext): Promise<void> => {
    await handle(ruleId, decide.alertRuleDecider, decide.deleteAlertRule, context);
  };
