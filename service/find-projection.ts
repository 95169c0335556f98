import type { AnyProjection } from '../projections/engine/fold/define.ts';
import { projections } from '../projections/index.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Returns a projection by the name of its read model.
 *
 * @throws OperatorError the read model does not exist
 */
export const findProjection = (name: string): AnyProjection => {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  const names = projections.map((projection) => projection.name).join(', ');
  throw new OperatorError(`The read model "${name}" does not exist. Use one of ${names}.`);
};
