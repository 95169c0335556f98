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
