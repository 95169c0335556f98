import { audit } from './audit/projection.ts';
import type { AnyProjection } from './engine/define.ts';
import { organizations } from './organizations/projection.ts';

/** Every read model there is. */
export const projections: readonly AnyProjection[] = [organizations, audit];
