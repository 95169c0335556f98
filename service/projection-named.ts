import type { AnyProjection } from '../projections/engine/fold/define.ts';
import { projections } from '../projections/index.ts';
import { OperatorError } from './operator-error.ts';

/** @throws OperatorError there is none */
export const projectionNamed = (name: string): AnyProjection => {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  const names = projections.map((projection) => projection.name).join(', ');
  throw new OperatorError(`There is no read model "${name}". There are ${names}.`);
};
