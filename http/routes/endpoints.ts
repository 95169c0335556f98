import type { Endpoint } from '../app.ts';
import { createShares } from '../heavy-requests.ts';
import { createSealClient } from './request-origin.ts';
import { createEndpoint, type EndpointDependencies } from './endpoint.ts';
import type { AnyRoute, Route, Surface } from './route.ts';

export type SurfaceDependencies<S extends Surface> = Omit<EndpointDependencies<S>, 'sealClient' | 'enterShare'> &
  Partial<Pick<EndpointDependencies<S>, 'enterShare'>>;

/** The endpoints of a surface, one per path. @throws Error a method of a path is declared twice */
export const endpointsOf = <S extends Surface>(
  routes: readonly Route<S>[],
  dependencies: SurfaceDependencies<S>,
): Endpoint[] => {
  const { enterShare = createShares() } = dependencies;
  const parts = { ...dependencies, enterShare, sealClient: createSealClient(dependencies.keys) };
  const paths = new Map<string, AnyRoute[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return [...paths].map(([path, ofPath]) => ({ path, serve: createEndpoint(ofPath, parts) }));
};
