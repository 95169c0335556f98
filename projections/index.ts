import type { AnyProjection } from './engine/define.ts';

/** Every read model there is. */
export const projections: readonly AnyProjection[] = [];
