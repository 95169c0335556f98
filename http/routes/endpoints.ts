import type { Endpoint } from '../app.ts';
import { createHeavyRequestLimit } from '../heavy-requests.ts';
import { createSealOrigin } from './request-origin.ts';
import { createEndpoint, type EndpointDependencies } from './endpoint.ts';
import type { AnyRoute, Route, Surface } from './route.ts';

export type SurfaceDependencies<S extends Surface> = Omit<EndpointDependencies<S>, 'sealClient' | 'acquireSlot'> &
  Partial<Pick<EndpointDependencies<S>, 'acquireSlot'>>;

/**
 * Creates the endpoints of a surface, one for each path.
 *
 * @throws Error a method of a path is declared twice
 */
export const endpointsOf = <S extends Surface>(
  routes: readonly Route<S>[],
  dependencies: SurfaceDependencies<S>,
): Endpoint[] => {
  const { acquireSlot = createHeavyRequestLimit() } = dependencies;
  const parts = { ...dependencies, acquireSlot, sealClient: createSealOrigin(dependencies.keys) };
  const paths = new Map<string, AnyRoute[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return [...paths].map(([path, ofPath]) => ({ path, serve: createEndpoint(ofPath, parts) }));
};
