import { Forbidden, Invalid } from '../../../../domain/errors.ts';
import { simulateRule } from '../../../../queries/alerts/simulation/simulate.ts';
import { ok, route, type Route } from '../../../route.ts';
import {
  furtherSimulationProblems,
  presentSimulation,
  SimulationBody,
  simulatedPeriod,
  simulatedRule,
  simulationProblems,
  SimulationSchema,
} from './simulation.ts';

export const alertSimulationRoutes: Route[] = [
  route({
    methods: ['post'],
    effect: 'read',
    path: '/v1/alerts/rules/simulate',
    summary: 'Simulate an alert rule',
    description:
      'Returns the alerts that the rule would have raised on the stored results of its checks. Nothing is stored, and nobody is notified. Fields of a rule that do not affect its alerts are ignored, such as `name`, `channel_ids` and `enabled`.',
    tag: 'Alerts',
    access: { needs: 'alerts.read' },
    body: SimulationBody,
    responses: { 200: SimulationSchema },
    heavy: true,
    find: async ({ may }) => {
      if (!may('results.read')) throw new Forbidden('A simulation shows results, which your role cannot read.');
    },
    alsoRefused: ({ scope, body }) => furtherSimulationProblems(scope, body),
    handle: async ({ body, scope, past, signal }) => {
      const problems = await simulationProblems(scope, body);
      if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
      const period = simulatedPeriod(body, scope.now);
      return ok(async () =>
        presentSimulation(await simulateRule(scope, simulatedRule(body), period, { readEvents: past.events, signal })),
      );
    },
  }),
];
