import type { TargetRules } from '../../domain/target/policy.ts';
import type { Config } from './config.ts';

/** What checks may reach, by the environment. */
export const targetRulesOf = ({
  targetPolicy,
  targetAllow,
  targetDeny,
}: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny'>): TargetRules => ({
  policy: targetPolicy,
  ...(targetAllow !== null && { allow: targetAllow }),
  ...(targetDeny !== null && { deny: targetDeny }),
});

/** Where webhooks may lead, by the environment. TARGET_ALLOW, for checks, does not apply to them. */
export const webhookRulesOf = ({
  webhookPolicy,
  targetDeny,
}: Pick<Config, 'webhookPolicy' | 'targetDeny'>): TargetRules => ({
  policy: webhookPolicy,
  ...(targetDeny !== null && { deny: targetDeny }),
});
