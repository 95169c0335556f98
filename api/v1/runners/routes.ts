import { Type } from '@sinclair/typebox';
import { createRunner, renameRunner, revokeRunner, rotateRunner, runnerPresences } from '../../../commands/runners.ts';
import { regionOf } from '../../../domain/check/regions.ts';
import { Forbidden } from '../../../domain/errors.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { runners, type RunnerDocument } from '../../../projections/runners/projection.ts';
import { listAllRunners, findOwnRunner, findRunner, listRunners } from '../../../queries/runners.ts';
import { created, noContent, ok, route, type Call, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { NewRunner, presentRunner, Runner, RunnerChange, RunnerList, RunnerWithToken } from './schema.ts';

const tag = 'Runners';
const path = '/v1/runners';
const byId = `${path}/{runner_id}`;
const params = Type.Object({ runner_id: Id });
const oneTime = ['token'] as const;
const revised = ({ runner_id }: { runner_id: string }) => revisedIn('runner', runner_id);

type ReadCall = Pick<Call<unknown, unknown, unknown>, 'may' | 'operator' | 'scope'>;
type RunnerCall = ReadCall & { params: { runner_id: string } };

/** Tests whether the caller operates the service, that is, is an admin of the first organization. */
const operates = ({ may, operator, scope }: ReadCall): boolean =>
  may('service.operate') && operator?.organizationId === scope.organizationId;

/** Finds a runner that the caller is allowed to read. @throws NotFound */
const findReadable = (call: RunnerCall): Promise<RunnerDocument> =>
  operates(call) ? findRunner(call.scope, call.params.runner_id) : findOwnRunner(call.scope, call.params.runner_id);

/**
 * Finds a runner that the caller is allowed to change.
 *
 * @throws NotFound
 * @throws Forbidden the caller can only read the runner
 */
const findWritable = async (call: RunnerCall): Promise<RunnerDocument> => {
  const runner = await findReadable(call);
  if (runner.organization_id !== call.scope.organizationId) {
    throw new Forbidden(
      'This runner belongs to another organization. To revoke it, run `uptrail runner revoke` on the machine of the service.',
    );
  }
  return runner;
};

const show = async ({ scope, commands }: Pick<Call<unknown, unknown, unknown>, 'scope' | 'commands'>, id: string) => {
  const runner = await findRunner(scope, id);
  const [presences, others] = await Promise.all([
    commands.bind(runnerPresences)(),
    listRunners({ read: scope.read, organizationId: runner.organization_id }),
  ]);
  return presentRunner(runner, { presences, others });
};

/** Remote runners (docs/operate/runners.md): programs on other machines that run the checks of a region. */
export const runnerRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'List remote runners',
    description:
      'The list is sorted newest first. Admins of the first organization see the runners of all organizations.',
    tag,
    access: { needs: 'runners.read' },
    confidential: true,
    responses: { 200: RunnerList },
    heavy: true,
    handle: (call) =>
      ok(async () => {
        const [all, presences] = await Promise.all([
          operates(call) ? listAllRunners(call.scope) : listRunners(call.scope),
          call.commands.bind(runnerPresences)(),
        ]);
        return { runners: all.map((runner) => presentRunner(runner, { presences, others: all })) };
      }),
  }),
  route({
    methods: ['post'],
    path,
    summary: 'Create a remote runner',
    description: 'Its token is shown once.',
    tag,
    access: { needs: 'runners.write' },
    body: NewRunner,
    confidential: true,
    oneTime,
    responses: { 201: RunnerWithToken },
    handle: async (call) => {
      const { name, region: named } = call.body;
      const region = named === undefined ? null : (regionOf(named) ?? null);
      const { id, token } = await call.commands.bind(createRunner)({ name, region }, operates(call), call.context);
      return created(`${path}/${id}`, id, async () => ({
        ...(await show(call, id)),
        ...(token !== null && { token }),
      }));
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get a remote runner',
    tag,
    access: { needs: 'runners.read' },
    confidential: true,
    params,
    revised,
    responses: { 200: Runner },
    find: findReadable,
    handle: (call) => ok(() => show(call, call.params.runner_id)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Rename a remote runner',
    tag,
    access: { needs: 'runners.write' },
    confidential: true,
    params,
    revised,
    body: RunnerChange,
    responses: { 200: Runner },
    find: findWritable,
    handle: async (call) => {
      const { name } = call.body;
      if (name !== undefined) await call.commands.bind(renameRunner)(call.params.runner_id, name, call.context);
      return ok(() => show(call, call.params.runner_id));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Revoke a remote runner',
    description: 'Its token is refused as soon as the response arrives. The runner stays in the list.',
    tag,
    access: { needs: 'runners.write' },
    params,
    revised,
    responses: { 204: null },
    waitsFor: [runners.name],
    find: findWritable,
    handle: async ({ params, context, commands }) => {
      await commands.bind(revokeRunner)(params.runner_id, context);
      return noContent();
    },
  }),
  route({
    methods: ['post'],
    path: `${byId}/rotate`,
    summary: 'Rotate the token of a remote runner',
    description: 'The old token works until the new one is used, but for at most a day.',
    tag,
    access: { needs: 'runners.write' },
    confidential: true,
    oneTime,
    params,
    responses: { 200: RunnerWithToken },
    find: findWritable,
    handle: async (call) => {
      const { runner_id: id } = call.params;
      const token = await call.commands.bind(rotateRunner)(id, call.context);
      return ok(async () => ({ ...(await show(call, id)), ...(token !== null && { token }) }));
    },
  }),
];
