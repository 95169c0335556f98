import type { Endpoint } from '../app.ts';
import { createSealClient } from './client.ts';
import { createEndpoint, type EndpointDependencies } from './endpoint.ts';
import type { AnyRoute, Route, Surface } from './route.ts';

export type SurfaceDependencies<S extends Surface> = Omit<EndpointDependencies<S>, 'sealClient'>;

/** The routes of a surface, by path. @throws Error two routes name one path in two ways, or a method of it twice */
export const endpointsOf = <S extends Surface>(
  routes: readonly Route<S>[],
  dependencies: SurfaceDependencies<S>,
): Endpoint[] => {
  const parts = { ...dependencies, sealClient: createSealClient(dependencies.keys) };
  const paths = new Map<string, AnyRoute[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return [...paths].map(([path, ofPath]) => ({ path, serve: createEndpoint(ofPath, parts) }));
};
