import type { TargetRules } from '../../domain/target/policy.ts';
import type { Config } from './config.ts';

/** The configured rules for what checks may reach. */
export const targetRulesOf = ({
  targetPolicy,
  targetAllow,
  targetDeny,
}: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny'>): TargetRules => ({
  policy: targetPolicy,
  ...(targetAllow !== null && { allow: targetAllow }),
  ...(targetDeny !== null && { deny: targetDeny }),
});

/** The configured rules for webhook URLs. TARGET_ALLOW is for checks only. */
export const webhookRulesOf = ({
  webhookPolicy,
  targetDeny,
}: Pick<Config, 'webhookPolicy' | 'targetDeny'>): TargetRules => ({
  policy: webhookPolicy,
  ...(targetDeny !== null && { deny: targetDeny }),
});
