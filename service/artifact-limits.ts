import { MEBIBYTE, RUN_LIMITS } from '../stores/artifacts/limits.ts';
import type { ArtifactLimits } from '../stores/artifacts/port.ts';
import type { Config } from './config/config.ts';

/** How many artifacts a deployment keeps. */
export const artifactLimits = ({ artifactsLimitMib }: Pick<Config, 'artifactsLimitMib'>): ArtifactLimits => ({
  ...RUN_LIMITS,
  organizationBytes: artifactsLimitMib * MEBIBYTE,
});
