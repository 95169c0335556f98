import { MEBIBYTE, RUN_LIMITS } from '../stores/artifacts/limits.ts';
import type { ArtifactLimits } from '../stores/artifacts/port.ts';
import type { Config } from './config/config.ts';

/** Returns the configured storage limits for artifacts. */
export const artifactLimits = ({ artifactsLimitMib }: Pick<Config, 'artifactsLimitMib'>): ArtifactLimits => ({
  ...RUN_LIMITS,
  organizationBytes: artifactsLimitMib * MEBIBYTE,
});
