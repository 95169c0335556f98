import { createTargetPolicy, type TargetPolicy } from '../domain/target/policy.ts';
import type { Config } from './config.ts';

/** What checks may reach, as the environment says. */
export const targetPolicyOf = ({
  targetPolicy,
  targetAllow,
  targetDeny,
}: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny'>): TargetPolicy =>
  createTargetPolicy({
    policy: targetPolicy,
    ...(targetAllow !== null && { allow: targetAllow }),
    ...(targetDeny !== null && { deny: targetDeny }),
  });
