import type { TargetRules } from '../../domain/target/policy.ts';
import type { Config } from './config.ts';

/** Returns the configured rules for the targets that checks may reach. */
export const targetRulesOf = ({
  targetPolicy,
  targetAllow,
  targetDeny,
}: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny'>): TargetRules => ({
  policy: targetPolicy,
  ...(targetAllow !== null && { allow: targetAllow }),
  ...(targetDeny !== null && { deny: targetDeny }),
});

/**
 * Returns the configured rules for the URLs of webhooks. TARGET_ALLOW is not used, because it applies to checks only.
 */
export const webhookRulesOf = ({
  webhookPolicy,
  targetDeny,
}: Pick<Config, 'webhookPolicy' | 'targetDeny'>): TargetRules => ({
  policy: webhookPolicy,
  ...(targetDeny !== null && { deny: targetDeny }),
});
