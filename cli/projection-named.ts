import type { AnyProjection } from '../projections/engine/define.ts';
import { projections } from '../projections/index.ts';
import { CommandError } from './output.ts';

/** @throws CommandError there is none */
export const projectionNamed = (name: string): AnyProjection => {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  const names = projections.map((projection) => projection.name).join(', ');
  throw new CommandError(`There is no read model "${name}". There are ${names}.`);
};
