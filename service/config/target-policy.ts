import type { TargetRules } from '../../domain/target/policy.ts';
import type { Config } from './config.ts';

/** What checks may reach, as the environment says. */
export const targetRulesOf = ({
  targetPolicy,
  targetAllow,
  targetDeny,
}: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny'>): TargetRules => ({
  policy: targetPolicy,
  ...(targetAllow !== null && { allow: targetAllow }),
  ...(targetDeny !== null && { deny: targetDeny }),
});

/** Where webhooks may lead, as the environment says. What checks may reach besides is no business of theirs. */
export const webhookRulesOf = ({
  webhookPolicy,
  targetDeny,
}: Pick<Config, 'webhookPolicy' | 'targetDeny'>): TargetRules => ({
  policy: webhookPolicy,
  ...(targetDeny !== null && { deny: targetDeny }),
});
