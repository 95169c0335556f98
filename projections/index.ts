import { audit } from './audit/projection.ts';
import type { AnyProjection } from './engine/define.ts';
import { organizations } from './organizations/projection.ts';
import { pages } from './pages/projection.ts';

/** Every read model there is. */
export const projections: readonly AnyProjection[] = [organizations, pages, audit];
