import { Forbidden, Invalid } from '../../../domain/errors.ts';
import { ok, route, type Call, type Route } from '../../route.ts';
import type { Operator } from './operator.ts';
import { RetryResponse, RetryBody, ServiceState } from './schema.ts';

const PATH = '/v1/operator';
const tag = 'Operator';
const access = { needs: 'service.operate' } as const;

type OperatorCall = Pick<Call<unknown, unknown, unknown>, 'operator' | 'scope'>;

/** @throws Forbidden if the caller belongs to another organization */
const operatorOf = ({ operator, scope }: OperatorCall): Operator => {
  if (operator?.organizationId !== scope.organizationId) {
    throw new Forbidden('Only admins of the first organization of the service have access to it.');
  }
  return operator;
};

export const operatorRoutes: Route[] = [
  route({
    methods: ['get'],
    path: PATH,
    summary: 'Get the state of the service',
    description: 'Shows read models, queues, reactors, runners and disk space, and which features are not configured.',
    tag,
    access,
    responses: { 200: ServiceState },
    confidential: true,
    heavy: true,
    handle: (call) => {
      const operator = operatorOf(call);
      return ok(() => operator.readState());
    },
  }),
  route({
    methods: ['post'],
    path: `${PATH}/retry`,
    summary: 'Retry failed items of a reactor',
    tag,
    access,
    body: RetryBody,
    responses: { 200: RetryResponse },
    handle: async (call) => {
      const { reactor, item = null } = call.body;
      const items = await operatorOf(call).retry(reactor, item);
      if (items === null) throw Invalid.field('reactor', 'No reactor has this name.');
      return ok(() => ({ items }));
    },
  }),
];
